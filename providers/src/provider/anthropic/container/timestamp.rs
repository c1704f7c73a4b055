//! Dates as JSON has them.

use std::time::Duration;

/// The time since 1970 of a date in UTC as RFC 3339 has it: `1994-11-06T08:49:37.125Z`. Fractions of a second are left
/// out.
pub(super) fn timestamp(text: &str) -> Option<Duration> {
    let (date, clock) = text.split_once(['T', 't', ' '])?;
    let clock = clock
        .strip_suffix(['Z', 'z'])
        .or_else(|| clock.strip_suffix("+00:00"))?;
    let clock = clock.split_once('.').map_or(clock, |(clock, _)| clock);
    let mut parts = date.split('-').map(number);
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if parts.next().is_some() || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let seconds = days_since_1970(year, month - 1, day) * 86_400 + seconds_of(clock)?;
    Some(Duration::from_secs(seconds))
}

/// The days from 1970 to a date; 0 for one before. January is the month 0.
fn days_since_1970(year: u64, month: u64, day: u64) -> u64 {
    // The year begins in March, so that the leap day is its last.
    let (year, month) = if month < 2 {
        (year.saturating_sub(1), month + 10)
    } else {
        (year, month - 2)
    };
    let leap_days = year / 4 - year / 100 + year / 400;
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    // 719,468 days lie between 1 March of the year 0 and 1970.
    (year * 365 + leap_days + day_of_year).saturating_sub(719_468)
}

/// The second of the day. A leap second is the last one.
fn seconds_of(clock: &str) -> Option<u64> {
    let mut parts = clock.split(':');
    let mut next = |most| number(parts.next()?).filter(|number| *number <= most);
    let (hours, minutes, seconds) = (next(23)?, next(59)?, next(60)?);
    parts
        .next()
        .is_none()
        .then_some(hours * 3600 + minutes * 60 + seconds)
}

fn number(text: &str) -> Option<u64> {
    let is_number = text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_in_utc_is_read() {
        let expected = Some(Duration::from_secs(784_111_777));
        for text in [
            "1994-11-06T08:49:37Z",
            "1994-11-06T08:49:37.125Z",
            "1994-11-06 08:49:37+00:00",
        ] {
            assert_eq!(timestamp(text), expected, "{text}");
        }
        let leap_day = timestamp("2024-02-29T00:00:00Z");
        assert_eq!(leap_day, Some(Duration::from_secs(1_709_164_800)));
        for text in [
            "",
            "soon",
            "1994-11-06",
            "1994-11-06T08:49:37",
            "1994-11-06T08:49:37+01:00",
            "1994-13-06T08:49:37Z",
            "1994-11-32T08:49:37Z",
            "1994-11-06T24:49:37Z",
            "1994-11-06T08:49:37:01Z",
            "1994-11-06-01T08:49:37Z",
            "1994-11-+6T08:49:37Z",
        ] {
            assert_eq!(timestamp(text), None, "{text}");
        }
    }
}
