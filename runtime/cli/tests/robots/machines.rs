//! Robots of textbooks.

pub mod driven {
    /// A pole on a cart, its angle 0 where it hangs down.
    #[derive(Robot)]
    #[robot(
        gravity = [0, 0, -g],
        link(cart, mass = M),
        joint(rail, prismatic(world -> cart), axis = [1, 0, 0], actuated),
        link(pole, mass = m, com = [0, 0, -l]),
        joint(hinge, revolute(cart -> pole), axis = [0, -1, 0]),
    )]
    pub struct CartPole {
        pub M: f64,
        pub m: f64,
        pub l: f64,
        pub g: f64,
    }

    /// Two rods and a motor between them.
    #[derive(Robot)]
    #[robot(
        gravity = [0, 0, -g],
        link(upper, mass = m1, com = [0, 0, -lc1], inertia = [0, I1, 0]),
        joint(shoulder, revolute(world -> upper), axis = [0, -1, 0]),
        link(lower, mass = m2, com = [0, 0, -lc2], inertia = [0, I2, 0]),
        joint(elbow, revolute(upper -> lower), at = [0, 0, -l1], axis = [0, -1, 0], actuated),
    )]
    pub struct Acrobot {
        pub m1: f64,
        pub m2: f64,
        pub I1: f64,
        pub I2: f64,
        pub l1: f64,
        pub lc1: f64,
        pub lc2: f64,
        pub g: f64,
    }

    /// A quadrotor in the plane x, z.
    #[derive(Robot)]
    #[robot(
        gravity = [0, 0, -g],
        link(body, mass = m, inertia = [0, I, 0]),
        joint(plane, planar(world -> body), axis = [0, -1, 0]),
        contact(left, on = body, at = [-r, 0, 0], friction = 0.5),
        contact(right, on = body, at = [r, 0, 0], friction = 0.5),
    )]
    pub struct Quadrotor {
        pub m: f64,
        pub I: f64,
        pub r: f64,
        pub g: f64,
    }
}

/// A disc that rolls on the ground, upright: places of its centre, heading, and the angle that it has rolled.
#[derive(Robot)]
#[robot(
    gravity = [0, 0, -9.81],
    link(slide, massless),
    joint(x, prismatic(world -> slide), at = [0, 0, r], axis = [1, 0, 0]),
    link(carriage, massless),
    joint(y, prismatic(slide -> carriage), axis = [0, 1, 0]),
    link(fork, massless),
    joint(heading, continuous(carriage -> fork), axis = [0, 0, 1]),
    link(disc, mass = m, inertia = [I, J, I]),
    joint(axle, continuous(fork -> disc), axis = [0, 1, 0]),
    constraint(along, h_v = rate(x) - r * cos(heading) * rate(axle)),
    constraint(across, h_v = rate(y) - r * sin(heading) * rate(axle)),
)]
pub struct Disc {
    pub m: f64,
    pub I: f64,
    pub J: f64,
    pub r: f64,
}

/// Two legs of one mass each, and a hip, on the foot that stands.
#[derive(Robot)]
#[robot(
    gravity = [0, 0, -g],
    link(stance, mass = m, com = [0, 0, a]),
    joint(ankle, revolute(world -> stance), axis = [0, 1, 0]),
    link(hip, mass = mh),
    joint(waist, fixed(stance -> hip), at = [0, 0, a + b]),
    link(swing, mass = m, com = [0, 0, -b]),
    joint(thigh, revolute(hip -> swing), axis = [0, 1, 0]),
)]
pub struct CompassGait {
    pub mh: f64,
    pub m: f64,
    pub a: f64,
    pub b: f64,
    pub g: f64,
}

/// A thin shell in the plane, on the ground.
#[derive(Robot)]
#[robot(
    gravity = [0, 0, -g],
    link(ball, mass = m, inertia = [0, 2.0 / 3.0 * m * r * r, 0]),
    joint(plane, planar(world -> ball), axis = [0, -1, 0]),
    contact(ground, on = ball, sphere = r, friction = mu, restitution = e),
)]
pub struct HollowBall {
    pub m: f64,
    pub r: f64,
    pub mu: f64,
    pub e: f64,
    pub g: f64,
}

/// A crank, a rod and a slider.
#[derive(Robot)]
#[robot(
    gravity = [0, 0, 0],
    link(crank, mass = m1, com = [r / 2, 0, 0], inertia = [0, m1 * r * r / 12, 0]),
    joint(motor, revolute(world -> crank), axis = [0, -1, 0]),
    link(rod, mass = m2, com = [l / 2, 0, 0], inertia = [0, m2 * l * l / 12, 0]),
    joint(pin, revolute(crank -> rod), at = [r, 0, 0], axis = [0, -1, 0]),
    link(slider, mass = m3),
    joint(rail, prismatic(world -> slider), axis = [1, 0, 0]),
    closure(wrist, a = slider, b = rod @ [l, 0, 0], axes = [x, z]),
)]
pub struct SliderCrank {
    pub m1: f64,
    pub m2: f64,
    pub m3: f64,
    pub r: f64,
    pub l: f64,
}

pub mod elastic {
    /// A pole on a cart, with a spring at the rail and a rope from above to the pole's end.
    #[derive(Robot)]
    #[robot(
        gravity = [0, 0, -g],
        link(cart, mass = M),
        joint(rail, prismatic(world -> cart), axis = [1, 0, 0], stiffness = k, rest = x0, damping = d),
        link(pole, mass = m, com = [0, 0, -l]),
        joint(hinge, revolute(cart -> pole), axis = [0, -1, 0]),
        spring(rope, a = world @ [0, 0, h], b = pole @ [0, 0, -l], stiffness = J, rest = q1),
    )]
    pub struct Roped {
        pub M: f64,
        pub m: f64,
        pub l: f64,
        pub g: f64,
        pub k: f64,
        pub x0: f64,
        pub d: f64,
        pub h: f64,
        pub J: f64,
        pub q1: f64,
    }
}

/// A symmetric top that flies.
#[derive(Robot)]
#[robot(
    gravity = [0, 0, -g],
    link(top, mass = m, inertia = [A, A, C]),
    joint(free, floating(world -> top)),
)]
pub struct Top {
    pub m: f64,
    pub A: f64,
    pub C: f64,
    pub g: f64,
}
