//! What dampers are worth as restitution, of a mass that nothing but the spring pushes.
//!
//! A linear spring with the damping ratio ζ = c / 2√(k m) is left where k δ + c δ̇ = 0, after the time
//! 2 acos ζ / ω√(1−ζ²), with
//!
//! > −ln e = 2 ζ acos ζ / √(1−ζ²),  and acosh ζ / √(ζ²−1) where ζ > 1.
//!
//! Hunt and Crossley's law turns m v dv / (1 + x v/v₀) = −k δⁿ dδ with x = 3/2 a v₀ into one and the same integral on
//! the way in and out, h(x) = h(−e x) with h(y) = y − ln(1 + y).

/// ζ of a restitution in (0, 1].
pub(super) fn damping_ratio(restitution: f64) -> f64 {
    let wanted = -libm::log(restitution);
    let mut most = 1.0;
    while loss(most) < wanted {
        most *= 2.0;
    }
    bisect(0.0, most, |ratio| loss(ratio) - wanted)
}

/// −ln e of ζ.
fn loss(ratio: f64) -> f64 {
    let (angle, cosine) = if ratio < 1.0 {
        (libm::acos(ratio), libm::sqrt((1.0 - ratio) * (1.0 + ratio)))
    } else {
        (libm::acosh(ratio), libm::sqrt((ratio - 1.0) * (ratio + 1.0)))
    };
    2.0 * ratio * if cosine > 0.0 { angle / cosine } else { 1.0 }
}

/// a v₀ of a restitution in (0, 1] at the speed v₀.
pub(super) fn dissipation(restitution: f64) -> f64 {
    // For small x the root is at 3/2 (1 − e), and h(x) − h(−e x) is positive before it.
    let out = |x: f64| defect(-restitution * x) - defect(x);
    bisect(0.0, 1.0 / restitution, out) / 1.5
}

/// y − ln(1 + y), with all its digits where y is small.
fn defect(y: f64) -> f64 {
    if y.abs() > 0.1 {
        return y - libm::log1p(y);
    }
    let (mut power, mut sum) = (-y, 0.0);
    for k in 2..24 {
        power *= -y;
        sum += power / f64::from(k);
    }
    sum
}

/// Where a function turns from negative to positive, or at `from` if it nowhere does.
fn bisect(mut from: f64, mut to: f64, f: impl Fn(f64) -> f64) -> f64 {
    loop {
        let middle = 0.5 * (from + to);
        if middle <= from || middle >= to {
            return from;
        }
        if f(middle) < 0.0 {
            from = middle;
        } else {
            to = middle;
        }
    }
}
