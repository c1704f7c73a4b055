//! Dates, times and durations.

use super::{after_digits, find, number, part};

pub(super) const fn is_date_time(text: &[u8]) -> bool {
    text.len() > 10
        && matches!(text[10], b'T' | b't')
        && is_date(part(text, 0, 10))
        && is_time(part(text, 11, text.len()))
}

pub(super) const fn is_date(text: &[u8]) -> bool {
    if text.len() != 10 || text[4] != b'-' || text[7] != b'-' {
        return false;
    }
    let (Some(year), Some(month), Some(day)) =
        (number(text, 0, 4), number(text, 5, 2), number(text, 8, 2))
    else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    1 <= day && day <= days
}

pub(super) const fn is_time(text: &[u8]) -> bool {
    let (Some(hour), Some(minute), Some(second)) =
        (number(text, 0, 2), number(text, 3, 2), number(text, 6, 2))
    else {
        return false;
    };
    if text[2] != b':' || text[5] != b':' || hour > 23 || minute > 59 || second > 60 {
        return false;
    }
    let mut rest = 8;
    if text.len() > 8 && text[8] == b'.' {
        rest = after_digits(text, 9);
        if rest == 9 {
            return false;
        }
    }
    let Some(offset) = offset_minutes(part(text, rest, text.len())) else {
        return false;
    };
    // A leap second is the last of a day in UTC.
    let utc = (hour * 60 + minute - offset).rem_euclid(24 * 60);
    second < 60 || utc == 24 * 60 - 1
}

/// The offset from UTC, in minutes.
const fn offset_minutes(text: &[u8]) -> Option<i64> {
    if text.len() == 1 && matches!(text[0], b'Z' | b'z') {
        return Some(0);
    }
    if text.len() != 6 || !matches!(text[0], b'+' | b'-') || text[3] != b':' {
        return None;
    }
    match (number(text, 1, 2), number(text, 4, 2)) {
        (Some(hour), Some(minute)) if hour <= 23 && minute <= 59 => {
            let minutes = hour * 60 + minute;
            Some(if text[0] == b'-' { -minutes } else { minutes })
        }
        _ => None,
    }
}

/// Weeks alone; or years, months and days, then hours, minutes and seconds, without gaps.
pub(super) const fn is_duration(text: &[u8]) -> bool {
    if text.is_empty() || text[0] != b'P' {
        return false;
    }
    let end = find(text, b'T', 1);
    let date = part(text, 1, end);
    if end == text.len() {
        return matches!(units(date, b"W"), Some(1)) || matches!(units(date, b"YMD"), Some(1..));
    }
    let time = part(text, end + 1, text.len());
    units(date, b"YMD").is_some() && matches!(units(time, b"HMS"), Some(1..))
}

/// Returns the number of units, each with its number, next to each other in the order of `known`.
const fn units(text: &[u8], known: &[u8]) -> Option<usize> {
    let (mut count, mut index, mut next) = (0, 0, None);
    while index < text.len() {
        let unit = after_digits(text, index);
        if unit == index || unit == text.len() {
            return None;
        }
        let place = find(known, text[unit], 0);
        match next {
            _ if place == known.len() => return None,
            Some(next) if place != next => return None,
            _ => {}
        }
        (next, count, index) = (Some(place + 1), count + 1, unit + 1);
    }
    Some(count)
}
