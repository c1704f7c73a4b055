//! The formats of texts that JSON Schema knows by name.
//!
//! Everything here is `const`: an example that is not of its format fails the compilation.

mod address;
mod identifier;
mod time;

use crate::schema::{const_check::keys::equal, each::each};

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
    const ALL: [Self; 10] = [
        Self::DateTime,
        Self::Date,
        Self::Time,
        Self::Duration,
        Self::Email,
        Self::Hostname,
        Self::Ipv4,
        Self::Ipv6,
        Self::Uri,
        Self::Uuid,
    ];

    /// Returns the name of the format in JSON Schema.
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

    /// The format of a name, if it is one of these.
    pub(crate) const fn named(name: &str) -> Option<Self> {
        each!(format in &Self::ALL => {
            if equal(format.name(), name) {
                return Some(*format);
            }
        });
        None
    }

    /// A text of the format, for messages.
    pub(super) const fn sample(self) -> &'static str {
        match self {
            Self::DateTime => "2026-02-28T10:30:00Z",
            Self::Date => "2026-02-28",
            Self::Time => "10:30:00Z",
            Self::Duration => "P1DT12H",
            Self::Email => "ada@example.com",
            Self::Hostname => "www.example.com",
            Self::Ipv4 => "127.0.0.1",
            Self::Ipv6 => "::1",
            Self::Uri => "https://example.com/path",
            Self::Uuid => "67e55044-10b1-426f-9247-bb680e5fe0c8",
        }
    }

    /// Returns true if a string is of the format.
    pub const fn fits(self, text: &str) -> bool {
        let text = text.as_bytes();
        match self {
            Self::DateTime => time::is_date_time(text),
            Self::Date => time::is_date(text),
            Self::Time => time::is_time(text),
            Self::Duration => time::is_duration(text),
            Self::Email => address::is_email(text),
            Self::Hostname => address::is_hostname(text),
            Self::Ipv4 => address::is_ipv4(text),
            Self::Ipv6 => address::is_ipv6(text),
            Self::Uri => identifier::is_uri(text),
            Self::Uuid => identifier::is_uuid(text),
        }
    }
}

/// A part of a text.
const fn part(text: &[u8], start: usize, end: usize) -> &[u8] {
    text.split_at(end).0.split_at(start).1
}

/// Returns the place of the first such byte, from a place on; the end, if there is none.
const fn find(text: &[u8], byte: u8, from: usize) -> usize {
    let mut index = from;
    while index < text.len() && text[index] != byte {
        index += 1;
    }
    index
}

/// Returns the place of the last such byte.
const fn find_last(text: &[u8], byte: u8) -> Option<usize> {
    let mut index = text.len();
    while index > 0 {
        index -= 1;
        if text[index] == byte {
            return Some(index);
        }
    }
    None
}

const fn contains(bytes: &[u8], byte: u8) -> bool {
    find(bytes, byte, 0) < bytes.len()
}

/// A number of exactly so many digits.
const fn number(text: &[u8], start: usize, length: usize) -> Option<i64> {
    if after_digits(text, start) < start + length {
        return None;
    }
    let mut number = 0;
    each!(digit in part(text, start, start + length) => {
        number = number * 10 + (*digit - b'0') as i64;
    });
    Some(number)
}

/// The place after a run of digits.
const fn after_digits(text: &[u8], from: usize) -> usize {
    let mut index = from;
    while index < text.len() && text[index].is_ascii_digit() {
        index += 1;
    }
    index
}

#[cfg(test)]
mod tests;
