//! Times that no setting can make too long for the clock.

use std::time::Duration;

use tokio::time::Instant;

/// Longer than any program runs.
pub(crate) const FOREVER: Duration = Duration::from_secs(60 * 60 * 24 * 365);

/// The time after a wait that begins now.
pub(crate) fn later(wait: Duration) -> Instant {
    Instant::now() + wait.min(FOREVER)
}
