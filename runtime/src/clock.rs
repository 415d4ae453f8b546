//! Time by steps of a given size, without the sum of what rounding makes of each.

/// A time and what rounding has taken from it, of about twice the digits together: a sum of any number of steps is right to
/// the last bit or two of the time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    time: f64,
    rest: f64,
}

impl Default for Clock {
    /// Not begun.
    fn default() -> Self {
        Self { time: f64::NAN, rest: 0.0 }
    }
}

impl Clock {
    /// After `h` more seconds than `time`, which counts as it is if it is not this clock's.
    #[inline(always)]
    pub(crate) fn after(self, time: f64, h: f64) -> Self {
        let before = if self.time == time { self.rest } else { 0.0 };
        let (sum, lost) = exact(time, h);
        let (time, rest) = exact(sum, lost + before);
        Self { time, rest }
    }

    #[inline(always)]
    pub(crate) fn time(self) -> f64 {
        self.time
    }
}

/// The sum, and what rounding takes from it: Knuth's algorithm.
#[inline(always)]
fn exact(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

#[cfg(test)]
mod tests {
    use super::Clock;

    #[test]
    fn a_million_steps_are_so_many_times_one() {
        for h in [1e-3, 0.1, 1.0 / 3.0, 7.7e-5] {
            let mut clock = Clock::default().after(0.0, h);
            for steps in 2..=1_000_000_u32 {
                clock = clock.after(clock.time(), h);
                assert!((clock.time() - f64::from(steps) * h).abs() <= f64::EPSILON * clock.time());
            }
        }
    }

    #[test]
    fn another_time_counts_as_it_is() {
        let mut clock = Clock::default().after(0.1, 0.2);
        assert_eq!(clock.time(), 0.1 + 0.2);
        clock = clock.after(5.0, 0.25);
        assert_eq!(clock.time(), 5.25);
        // Of sizes that change, as of any other numbers.
        for h in [0.1, 1e-9, 0.3, 1e-17, 0.7] {
            clock = clock.after(clock.time(), h);
        }
        assert!((clock.time() - 6.350_000_001).abs() < 1e-15);
    }
}
