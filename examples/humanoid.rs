//! x
use jourdain::playback::Scene;
use jourdain::prelude::*;
use jourdain_examples::{audited_run, save};
use jourdain_models::G1;
use nalgebra::SVector;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let a: Vec<f64> = std::env::args().skip(1).map(|x| x.parse().unwrap()).collect();
    println!("{} {} {:?}", G1::NQ, G1::NU, G1::JOINT_NAMES);
    let mut q = SVector::<f64, 36>::zeros();
    q[6] = 1.0;
    for s in [7, 13] {
        q[s] = -0.2;
        q[s + 3] = 0.4;
        q[s + 4] = -0.2;
    }
    let c = {
        let gap = G1.gap(&q);
        q[2] = a[0] - gap.min();
        G1.center_of_mass(&q)
    };
    println!("z {} com {c:?} foot {:?}", q[2], G1.frame_pose(G1::LEFT_FOOT, &q).position);
    let lim = G1.coordinate_parameters();
    let mut kp = SVector::<f64, 35>::zeros();
    let mut kd = SVector::<f64, 35>::zeros();
    for k in 6..35 {
        kp[k] = a[1] * lim[k].effort;
        kd[k] = kp[k] / a[2];
    }
    let mut pd = Pd::new(&G1, q, 1.0, 1.0).gains(kp, kd);
    let mut sim = Simulation::new(G1)?.state(q, SVector::zeros())?;
    let t = std::time::Instant::now();
    let mut recording = Recording::new(100.0)?;
    for _ in 0..10 {
        let audit = audited_run(&mut sim, 0.5, |s: &State<G1>| pd.input(s), &mut recording)?;
        let c = sim.current();
        println!(
            "{:.2} z={:.4} com {:?} v={:.1e} pen {:.1e} res {:.1e} foot {:.1e} u {:.1} v {}",
            c.time,
            c.q[2],
            G1.center_of_mass(&c.q).as_slice(),
            c.v.amax(),
            audit.penetration,
            audit.residual,
            audit.final_speed,
            audit.input
        );
    }
    println!("{:?}", t.elapsed());
    let scene = Scene::film(&G1, &recording);
    save(&scene, "humanoid")?;
    Ok(())
}
