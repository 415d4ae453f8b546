//! Tables dropped onto their feet.

use jourdain::prelude::*;
use nalgebra::{SVector, UnitQuaternion};

use super::drops::drop;
use super::nothing;

/// A table on four round feet.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(plate, mass = 5, inertia = [0.1, 0.2, 0.25]),
    joint(base, floating(world -> plate)),
    contact(a, on = plate, at = [0.2, 0.15, -0.2], sphere = 0.02, friction = mu, restitution = e),
    contact(b, on = plate, at = [0.2, -0.15, -0.2], sphere = 0.02, friction = mu, restitution = e),
    contact(c, on = plate, at = [-0.2, 0.15, -0.2], sphere = 0.02, friction = mu, restitution = e),
    contact(d, on = plate, at = [-0.2, -0.15, -0.2], sphere = 0.02, friction = mu, restitution = e),
)]
struct Table {
    mu: f64,
    e: f64,
}

#[test]
fn tables() {
    let mut random = fastrand::Rng::with_seed(4);
    let mut number = || 2.0 * random.f64() - 1.0;
    for (mu, e, drops) in [(0.0, 0.0, 3), (0.6, 0.0, 1), (0.6, 0.3, 2)] {
        for _ in 0..drops {
            let turn = [number(), number(), number()].map(|angle| 0.5 * angle);
            let turn = UnitQuaternion::from_euler_angles(turn[0], turn[1], turn[2]);
            let mut q = SVector::<f64, 7>::zeros();
            q[2] = 0.6;
            q.fixed_rows_mut::<4>(3).copy_from(&turn.coords);
            let v = SVector::<f64, 6>::from_fn(|_, _| number());
            let table = HybridSimulation::new(Table { mu, e }).unwrap().state(q, v).unwrap();
            drop(table, nothing, (0.6, mu), true);
        }
    }
}

/// From a height of 0.6 m, integrated by the stiff method.
fn falling(turn: [f64; 4], v: [f64; 6]) -> HybridSimulation<Table, jourdain::integrate::Rodas5P> {
    let [x, y, z, w] = turn;
    let table = HybridSimulation::new(Table { mu: 0.6, e: 0.0 }).unwrap().stiff();
    table.state(SVector::from([0.0, 0.0, 0.6, x, y, z, w]), SVector::from(v)).unwrap()
}

/// Slip that begins turns by more than a right angle from where it began.
#[test]
fn slip_that_begins_turns() {
    let turn = [
        0.134_075_686_017_509_44,
        -0.218_531_703_678_285_87,
        -0.335_249_300_763_279_8,
        0.906_573_500_188_557_3,
    ];
    let v = [
        0.826_615_978_902_613_3,
        0.714_904_202_831_221_6,
        0.559_485_803_762_575_2,
        -0.265_581_739_159_563_85,
        0.355_486_088_781_313_66,
        -0.241_420_454_521_406_26,
    ];
    drop(falling(turn, v).most_steps(2000), nothing, (0.5, 0.6), true);
}

/// Slip that begins with no acceleration stays slow for so long that its friction turns in 10⁻⁸ s.
#[test]
fn slip_that_begins_slowly_takes_few_steps() {
    let turn = [
        -0.360_240_346_002_414_1,
        -0.191_806_380_337_439_05,
        -0.103_779_150_920_482_16,
        0.907_009_974_260_556,
    ];
    let v = [
        -0.300_571_577_719_721_76,
        0.458_692_514_687_603_5,
        -0.812_030_030_745_718_4,
        0.809_862_426_797_618_9,
        0.584_663_026_721_321_5,
        -0.916_787_662_983_867_8,
    ];
    drop(falling(turn, v).most_steps(500), nothing, (0.6, 0.6), true);
}

/// Two feet hold what is undetermined along the line between them, and slip together where their cones are used up.
#[test]
fn feet_slip_together() {
    for (turn, v) in [
        (
            [
                -0.085_894_212_536_634_37,
                -0.028_107_821_394_327_74,
                -0.227_820_955_412_536_7,
                0.969_499_740_538_436_2,
            ],
            [
                0.073_061_399_582_940_56,
                -0.956_156_147_485_063_5,
                0.731_623_309_270_161_6,
                0.012_140_022_760_508_629,
                -0.111_205_329_963_245_17,
                0.903_596_577_676_254_5,
            ],
        ),
        (
            [
                -0.181_260_729_706_981_18,
                -0.301_459_926_573_256_43,
                0.330_714_576_181_062_15,
                0.875_725_030_838_972_9,
            ],
            [
                -0.107_747_372_887_073_7,
                0.524_739_656_668_967_3,
                0.551_484_773_093_109,
                0.499_738_074_613_282_7,
                0.726_811_450_154_548_2,
                0.227_748_711_808_787_97,
            ],
        ),
    ] {
        drop(falling(turn, v), nothing, (1.3, 0.6), true);
    }
}
