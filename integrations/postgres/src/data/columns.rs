//! Numbers and times as columns of PostgreSQL.

use std::{
    error::Error,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use tokio_postgres::types::{FromSql, Type};

/// The longest time of a lease: 100 years.
const FAR: Duration = Duration::from_secs(100 * 366 * 24 * 60 * 60);

/// The time from which PostgreSQL counts, the year 2000, in microseconds since 1970.
const YEAR_2000: i64 = 946_684_800_000_000;

/// A place or a number as a column. What PostgreSQL cannot count is the greatest number that it can.
pub(crate) fn to_column(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A place or a number from its column.
pub(crate) fn from_column(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// A time by the clock of a driver as a column: microseconds since 1970.
pub(crate) fn to_micros(time: SystemTime) -> i64 {
    let count = |time: Duration| i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => count(since),
        Err(before) => -count(before.duration()),
    }
}

/// A time by the clock of the database, in microseconds since 1970. One that PostgreSQL cannot tell is the first or the last
/// that it can, in about.
pub(crate) fn clock_micros(time: SystemTime) -> i64 {
    const YEAR_1: i64 = -62_000_000_000_000_000;
    const YEAR_280_000: i64 = 8_800_000_000_000_000_000;
    to_micros(time).clamp(YEAR_1, YEAR_280_000)
}

/// The time of a lease, in microseconds.
pub(crate) fn lease_micros(time: Duration) -> i64 {
    // A hundred years are a number of PostgreSQL.
    i64::try_from(time.min(FAR).as_micros()).unwrap_or(i64::MAX)
}

/// A time by the clock of the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Time(pub(crate) SystemTime);

impl<'a> FromSql<'a> for Time {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        let micros = i64::from_be_bytes(raw.try_into()?).saturating_add(YEAR_2000);
        let distance = Duration::from_micros(micros.unsigned_abs());
        let time = if micros < 0 {
            UNIX_EPOCH.checked_sub(distance)
        } else {
            UNIX_EPOCH.checked_add(distance)
        };
        Ok(Self(time.unwrap_or(UNIX_EPOCH)))
    }

    fn accepts(kind: &Type) -> bool {
        *kind == Type::TIMESTAMPTZ
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_the_database_is_read() {
        let read = |micros: i64| Time::from_sql(&Type::TIMESTAMPTZ, &micros.to_be_bytes());
        let year_2000 = UNIX_EPOCH + Duration::from_secs(946_684_800);
        assert_eq!(read(0).unwrap().0, year_2000);
        assert_eq!(read(1).unwrap().0, year_2000 + Duration::from_micros(1));
        assert_eq!(
            read(-YEAR_2000 - 1).unwrap().0,
            UNIX_EPOCH - Duration::from_micros(1)
        );
        // `infinity`, and no time at all.
        for micros in [i64::MAX, i64::MIN] {
            assert!(read(micros).is_ok());
        }
        assert!(Time::from_sql(&Type::TIMESTAMPTZ, &[0; 4]).is_err());
    }

    #[test]
    fn a_lease_without_end_has_one() {
        assert_eq!(lease_micros(Duration::MAX), lease_micros(FAR));
        assert_eq!(lease_micros(Duration::from_millis(3)), 3000);
    }
}
