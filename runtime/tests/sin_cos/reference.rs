//! Sine and cosine in numbers of about 100 bits: an unevaluated sum of two `f64` (T. J. Dekker,
//! *A floating-point technique for extending the available precision*, 1971), by Taylor series.

#[derive(Clone, Copy)]
pub(super) struct Double {
    pub(super) high: f64,
    pub(super) low: f64,
}

impl Double {
    /// a + b exactly.
    fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let part = high - a;
        Self { high, low: (a - (high - part)) + (b - part) }
    }

    /// a b exactly.
    fn product(a: f64, b: f64) -> Self {
        Self { high: a * b, low: a.mul_add(b, -(a * b)) }
    }

    fn plus(self, other: Self) -> Self {
        let (high, low) = (Self::sum(self.high, other.high), Self::sum(self.low, other.low));
        let sum = Self::sum(high.high, high.low + low.high);
        Self::sum(sum.high, sum.low + low.low)
    }

    fn times(self, other: Self) -> Self {
        let product = Self::product(self.high, other.high);
        let cross = self.high.mul_add(other.low, self.low * other.high);
        Self::sum(product.high, product.low + cross)
    }

    fn over(self, divisor: f64) -> Self {
        let quotient = self.high / divisor;
        let product = Self::product(quotient, divisor);
        let rest = ((self.high - product.high) - product.low + self.low) / divisor;
        Self::sum(quotient, rest)
    }

    fn negative(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }

    /// The distance of `found` in units in the last place of this number.
    pub(super) fn error(self, found: f64) -> f64 {
        let unit = self.high.abs().next_up() - self.high.abs();
        ((found - self.high) - self.low).abs() / unit
    }
}

/// π/2 in parts of 33 bits, the last one of 53.
pub(super) const QUARTER_TURN: [f64; 4] =
    [1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32];

/// The sine and the cosine of |x| < 2²⁰.
pub(super) fn sin_cos(x: f64) -> (Double, Double) {
    let k = (x / std::f64::consts::FRAC_PI_2).round();
    let parts = QUARTER_TURN.map(|part| Double::product(-k, part));
    let r = parts.into_iter().fold(Double { high: x, low: 0.0 }, Double::plus);
    let (sine, cosine) = (series(r, r, 1.0), series(Double { high: 1.0, low: 0.0 }, r, 0.0));
    match k.rem_euclid(4.0) as u8 {
        0 => (sine, cosine),
        1 => (cosine, sine.negative()),
        2 => (sine.negative(), cosine.negative()),
        _ => (cosine.negative(), sine),
    }
}

/// first · (1 − r²/((n+1)(n+2)) (1 − r²/((n+3)(n+4)) (…))).
fn series(first: Double, r: Double, n: f64) -> Double {
    let square = r.times(r).negative();
    let (mut term, mut sum) = (first, first);
    for k in 0..15 {
        let n = n + f64::from(2 * k);
        term = term.times(square).over((n + 1.0) * (n + 2.0));
        sum = sum.plus(term);
    }
    sum
}
