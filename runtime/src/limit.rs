//! Values that a time limit is set by.

use std::time::Duration;

/// A time limit: a [`Duration`], or `None` for no limit.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no time limit",
    label = "a number has no unit",
    note = "write `Duration::from_secs(5)`, or `None` for no limit"
)]
pub trait TimeLimit: sealed::Sealed {
    /// The limit, if there is one.
    #[doc(hidden)]
    fn limit(self) -> Option<Duration>;
}

impl TimeLimit for Duration {
    fn limit(self) -> Option<Duration> {
        Some(self)
    }
}

impl TimeLimit for Option<Duration> {
    fn limit(self) -> Option<Duration> {
        self
    }
}

mod sealed {
    use std::time::Duration;

    pub trait Sealed {}

    impl Sealed for Duration {}
    impl Sealed for Option<Duration> {}
}
