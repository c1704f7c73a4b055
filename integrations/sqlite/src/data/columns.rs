//! Numbers and times as integers of SQLite.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A lease that is to last for longer than a clock counts lasts for this time.
const FAR: Duration = Duration::from_secs(100 * 366 * 24 * 60 * 60);

/// A place or a number as a column. What SQLite cannot count is the greatest number that it can.
pub(crate) fn to_column(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A place or a number from its column.
pub(crate) fn from_column(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// A time as a column: microseconds since 1970.
pub(crate) fn to_micros(time: SystemTime) -> i64 {
    let count = |time: Duration| i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => count(since),
        Err(before) => -count(before.duration()),
    }
}

/// A time from its column.
pub(crate) fn from_micros(micros: i64) -> SystemTime {
    let distance = Duration::from_micros(micros.unsigned_abs());
    let time = if micros < 0 {
        UNIX_EPOCH.checked_sub(distance)
    } else {
        UNIX_EPOCH.checked_add(distance)
    };
    time.unwrap_or(UNIX_EPOCH)
}

/// The end of a lease that begins now, as a column.
pub(crate) fn end_of(now: SystemTime, time: Duration) -> i64 {
    let end = now.checked_add(time).or_else(|| now.checked_add(FAR));
    to_micros(end.unwrap_or(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_come_back_from_their_columns() {
        let now = SystemTime::now();
        let kept = from_micros(to_micros(now));
        assert!(kept <= now && now < kept + Duration::from_micros(1));
        let before = UNIX_EPOCH - Duration::from_secs(3);
        assert_eq!(from_micros(to_micros(before)), before);
    }

    #[test]
    fn a_lease_without_end_has_one() {
        let now = SystemTime::now();
        assert_eq!(end_of(now, Duration::MAX), to_micros(now + FAR));
        assert_eq!(end_of(now, Duration::ZERO), to_micros(now));
    }
}
