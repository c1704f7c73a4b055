//! Names of files and folders.

use std::fmt::Write;

use sha2::{Digest, Sha256};

/// The longest escaped id that is a name as it is. File systems allow 255 bytes.
const LONGEST: usize = 150;

/// The name of a folder for an id: `x-`, then lower-case ASCII letters, digits, `-` and `_` as they are, and every other
/// byte as `%` and two hexadecimal digits. No two ids have one name, also where upper and lower case or forms of
/// Unicode are not told apart, and no name is reserved. Of a long one it is the beginning, `%h` and the SHA-256 of
/// the id.
pub(super) fn folder_of(id: &str) -> String {
    let mut name = String::from("x-");
    for byte in id.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' => name.push(char::from(byte)),
            _ => push_hex(&mut name, "%", byte),
        }
        if name.len() > LONGEST {
            name.push_str("%h");
            for byte in Sha256::digest(id.as_bytes()) {
                push_hex(&mut name, "", byte);
            }
            break;
        }
    }
    name
}

/// The id that a folder has its name from; `None` if that is not known, as of a long one.
pub(super) fn id_of(folder: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = folder.strip_prefix("x-")?.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        let digits = std::str::from_utf8(&digits).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
    }
    let id = String::from_utf8(bytes).ok()?;
    (folder_of(&id) == folder).then_some(id)
}

fn push_hex(name: &mut String, prefix: &str, byte: u8) {
    let written = write!(name, "{prefix}{byte:02x}");
    debug_assert!(written.is_ok(), "writing to a string cannot fail");
}

/// The name of a file with a number. Names are in the order of their numbers.
pub(super) fn numbered(kind: Kind, number: u64) -> String {
    let (prefix, suffix) = kind.affixes();
    format!("{prefix}{number:020}{suffix}")
}

/// The number of a file of this kind; `None` of any other name.
pub(super) fn number_of(kind: Kind, name: &str) -> Option<u64> {
    let (prefix, suffix) = kind.affixes();
    let digits = name.strip_prefix(prefix)?.strip_suffix(suffix)?;
    let is_number = digits.len() == 20 && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

/// A kind of file that has numbers.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// A segment of a log, by the token of its lease.
    Segment,
    /// An item of an inbox, by its place.
    Item,
    /// A version of a conversation.
    Version,
    /// A lock of a conversation. The one with the greatest number counts.
    Lock,
}

impl Kind {
    fn affixes(self) -> (&'static str, &'static str) {
        match self {
            Self::Segment => ("log-", ".jsonl"),
            Self::Item => ("item-", ".json"),
            Self::Version => ("version-", ".json"),
            Self::Lock => ("lock-", ".json"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{folder_of, id_of};

    #[test]
    fn an_id_is_known_by_its_folder() {
        for id in ["", "run-1_a", "A/ä\n%h", "a.b:c"] {
            assert_eq!(id_of(&folder_of(id)).as_deref(), Some(id));
        }
        for folder in [
            &*folder_of(&"long".repeat(99)),
            "x-%zz",
            "x-A",
            "notes",
            ".new-1",
            "x-%e",
        ] {
            assert_eq!(id_of(folder), None, "{folder}");
        }
    }
}
