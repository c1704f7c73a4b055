//! The formats of texts that JSON Schema knows by name.

use std::net::{Ipv4Addr, Ipv6Addr};

/// A format of texts. All of them are enforced, as their documentation says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// `date-time`: a date, `T`, a time and an offset (RFC 3339).
    DateTime,
    /// `date`: a day that exists, `2026-02-28` (RFC 3339).
    Date,
    /// `time`: `10:30:00Z`, `10:30:00.5+01:00` (RFC 3339). The offset must be there.
    Time,
    /// `duration`: `P1DT12H`, `P2W` (ISO 8601, as RFC 3339 writes it).
    Duration,
    /// `email`: a local part without quotes, `@` and a host name (RFC 5321).
    Email,
    /// `hostname`: labels of ASCII letters, digits and hyphens (RFC 1123).
    Hostname,
    /// `ipv4`: four numbers.
    Ipv4,
    /// `ipv6`: an address without a zone.
    Ipv6,
    /// `uri`: a scheme, a colon, and the characters that a URI may have (RFC 3986).
    Uri,
    /// `uuid`: 32 hexadecimal digits in five groups (RFC 9562).
    Uuid,
}

impl Format {
    /// What JSON Schema calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::DateTime => "date-time",
            Self::Date => "date",
            Self::Time => "time",
            Self::Duration => "duration",
            Self::Email => "email",
            Self::Hostname => "hostname",
            Self::Ipv4 => "ipv4",
            Self::Ipv6 => "ipv6",
            Self::Uri => "uri",
            Self::Uuid => "uuid",
        }
    }

    /// Whether a text is of the format.
    pub fn fits(self, text: &str) -> bool {
        match self {
            Self::DateTime => text
                .split_once(['T', 't'])
                .is_some_and(|(date, time)| is_date(date) && is_time(time)),
            Self::Date => is_date(text),
            Self::Time => is_time(text),
            Self::Duration => is_duration(text),
            Self::Email => is_email(text),
            Self::Hostname => is_hostname(text),
            Self::Ipv4 => text.parse::<Ipv4Addr>().is_ok(),
            Self::Ipv6 => text.parse::<Ipv6Addr>().is_ok(),
            Self::Uri => is_uri(text),
            Self::Uuid => is_uuid(text),
        }
    }
}

/// A number of exactly so many digits.
fn digits(text: &str, length: usize) -> Option<u32> {
    let plain = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// The parts of a text at fixed places.
fn at(text: &str, start: usize, length: usize) -> Option<u32> {
    digits(text.get(start..start + length)?, length)
}

fn is_date(text: &str) -> bool {
    let (Some(year), Some(month), Some(day)) = (at(text, 0, 4), at(text, 5, 2), at(text, 8, 2))
    else {
        return false;
    };
    let bytes = text.as_bytes();
    if text.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return false;
    }
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

fn is_time(text: &str) -> bool {
    let (Some(hour), Some(minute), Some(second)) = (at(text, 0, 2), at(text, 3, 2), at(text, 6, 2))
    else {
        return false;
    };
    let bytes = text.as_bytes();
    if bytes[2] != b':' || bytes[5] != b':' || hour > 23 || minute > 59 || second > 60 {
        return false;
    }
    let mut rest = &text[8..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let after = fraction.trim_start_matches(|char: char| char.is_ascii_digit());
        if after.len() == fraction.len() {
            return false;
        }
        rest = after;
    }
    let Some(offset) = offset_minutes(rest) else {
        return false;
    };
    // A leap second is the last of a day in UTC.
    let utc = (i64::from(hour * 60 + minute) - offset).rem_euclid(24 * 60);
    second < 60 || utc == 24 * 60 - 1
}

/// The offset from UTC, in minutes.
fn offset_minutes(text: &str) -> Option<i64> {
    if matches!(text, "Z" | "z") {
        return Some(0);
    }
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let (hour, minute) = (at(text, 1, 2)?, at(text, 4, 2)?);
    let plain = text.len() == 6 && text.as_bytes()[3] == b':' && hour <= 23 && minute <= 59;
    plain.then(|| sign * i64::from(hour * 60 + minute))
}

/// Weeks alone; or years, months and days, then hours, minutes and seconds, without gaps.
fn is_duration(text: &str) -> bool {
    let Some(text) = text.strip_prefix('P') else {
        return false;
    };
    let (date, time) = match text.split_once('T') {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    if time.is_none() && units(date, "W") == Some(1) {
        return true;
    }
    match (units(date, "YMD"), time.map(|time| units(time, "HMS"))) {
        (Some(date), None) => date > 0,
        (Some(_), Some(Some(time))) => time > 0,
        _ => false,
    }
}

/// How many units there are, each with its number, next to each other in the order of `known`.
fn units(mut text: &str, known: &str) -> Option<usize> {
    let (mut count, mut last) = (0, None);
    while !text.is_empty() {
        let unit = text.trim_start_matches(|char: char| char.is_ascii_digit());
        if unit.len() == text.len() {
            return None;
        }
        let place = known.find(unit.chars().next()?)?;
        if last.is_some_and(|last| place != last + 1) {
            return None;
        }
        (last, count) = (Some(place), count + 1);
        text = &unit[1..];
    }
    Some(count)
}

fn is_email(text: &str) -> bool {
    let Some((local, host)) = text.rsplit_once('@') else {
        return false;
    };
    let is_atom = |atom: &str| {
        !atom.is_empty()
            && atom
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte))
    };
    local.len() <= 64 && local.split('.').all(is_atom) && is_hostname(host)
}

fn is_hostname(text: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            // The place of the prefix of names that are not ASCII, which are not looked into.
            && (label.get(2..4) != Some("--"))
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    text.len() <= 253 && text.split('.').all(is_label)
}

fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let mut bytes = scheme.bytes();
    if !bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic())
        || !bytes.all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    {
        return false;
    }
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (hierarchy, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, path) = match hierarchy.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", hierarchy),
    };
    is_authority(authority)
        && has_only(path, b":@/")
        && has_only(query, b":@/?")
        && has_only(fragment, b":@/?")
}

fn is_authority(text: &str) -> bool {
    let (user, host) = text.rsplit_once('@').unwrap_or(("", text));
    let (host, port) = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((address, port)) if address.parse::<Ipv6Addr>().is_ok() => ("", port),
            _ => return false,
        },
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let port = port.strip_prefix(':').or(port.is_empty().then_some(""));
    has_only(user, b":")
        && has_only(host, b"")
        && port.is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether there are only unreserved characters, escapes, sub-delimiters and these.
fn has_only(text: &str, more: &[u8]) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let escape = byte == b'%'
            && bytes.next().is_some_and(|byte| byte.is_ascii_hexdigit())
            && bytes.next().is_some_and(|byte| byte.is_ascii_hexdigit());
        let plain = byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&byte);
        if !escape && !plain && !more.contains(&byte) {
            return false;
        }
    }
    true
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(place, byte)| match place {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests;
