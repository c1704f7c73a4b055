//! Dates as HTTP has them, and as JSON does.

use std::time::Duration;

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];
const DAYS: [u64; 12] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/// The mean year, in seconds.
const YEAR: u64 = 31_556_952;

/// The time since 1970 of a date, in any of the three forms of RFC 9110: `Sun, 06 Nov 1994 08:49:37 GMT`,
/// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`. A year of two digits is the one that is
/// nearest to `now`, the time since 1970. A date before 1970 is 1970.
pub(super) fn http_date(text: &str, now: Duration) -> Option<Duration> {
    let words: Vec<_> = text
        .split(|c: char| c.is_ascii_whitespace() || matches!(c, ',' | '-'))
        .filter(|word| !word.is_empty())
        .collect();
    let ([_, month, day, clock, year] | [_, day, month, year, clock, "GMT" | "UTC"]) = *words
    else {
        return None;
    };
    let month = month.to_ascii_lowercase();
    let month = MONTHS.iter().position(|name| *name == month)?;
    let day = number(day).filter(|day| (1..=DAYS[month]).contains(day))?;
    let year = match year.len() {
        2 => nearest(number(year)?, 1970 + now.as_secs() / YEAR),
        4 => number(year)?,
        _ => return None,
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (month, day) == (1, 29) && !is_leap {
        return None;
    }
    let seconds = days_since_1970(year, month as u64, day) * 86_400 + seconds_of(clock)?;
    Some(Duration::from_secs(seconds))
}

/// The time since 1970 of a date in UTC as RFC 3339 has it: `1994-11-06T08:49:37.125Z`. Fractions of a second are left
/// out.
pub(crate) fn timestamp(text: &str) -> Option<Duration> {
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

/// The year of these last two digits that is at most 50 years after this one, and less than 50 before.
fn nearest(digits: u64, now: u64) -> u64 {
    let year = now - now % 100 + digits;
    if year > now + 50 {
        year - 100
    } else if year + 50 <= now {
        year + 100
    } else {
        year
    }
}

fn number(text: &str) -> Option<u64> {
    let is_number = text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(year: u64) -> Duration {
        Duration::from_secs((year - 1970) * YEAR + YEAR / 2)
    }

    #[test]
    fn three_forms_are_one_date() {
        let expected = Some(Duration::from_secs(784_111_777));
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            "sun, 6 nov 1994 08:49:37 UTC",
        ] {
            assert_eq!(http_date(text, at(2026)), expected, "{text}");
        }
    }

    #[test]
    fn every_day_follows_the_day_before() {
        let mut last = None;
        for year in 1970..2120 {
            for (month, days) in MONTHS.iter().zip(DAYS) {
                for day in 1..=days {
                    let text = format!("Sun, {day:02} {month} {year} 00:00:00 GMT");
                    let short = format!("Sunday, {day:02}-{month}-{:02} 00:00:00 GMT", year % 100);
                    let Some(date) = http_date(&text, at(2026)) else {
                        assert_eq!((*month, day), ("feb", 29), "{text}");
                        assert!(year % 4 != 0 || year == 2100, "{text}");
                        continue;
                    };
                    if last.is_some() {
                        let day = Duration::from_secs(86_400);
                        assert_eq!(last.map(|last| last + day), Some(date), "{text}");
                    }
                    assert_eq!(http_date(&short, at(year)), Some(date), "{short}");
                    last = Some(date);
                }
            }
        }
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "",
            "soon",
            "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 31 Jun 1994 08:49:37 GMT",
            "Sun, 00 Jun 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:60:00 GMT",
            "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 1994 08:49:37:01 GMT",
            "Sun, 06 Nov 19940 08:49:37 GMT",
            "Sun, +6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Non 1994 08:49:37 GMT",
        ] {
            assert_eq!(http_date(text, at(2026)), None, "{text}");
        }
        let leap_second = http_date("Sat, 31 Dec 2016 23:59:60 GMT", at(2026));
        assert_eq!(leap_second, Some(Duration::from_secs(1_483_228_800)));
    }
}
