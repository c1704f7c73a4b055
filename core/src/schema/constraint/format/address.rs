//! Addresses of hosts and people.

use super::{after_digits, contains, find, find_last, number, part};
use crate::schema::each::any;

pub(super) const fn is_email(text: &[u8]) -> bool {
    let Some(at) = find_last(text, b'@') else {
        return false;
    };
    at <= 64 && has_atoms(part(text, 0, at)) && is_hostname(part(text, at + 1, text.len()))
}

/// Returns true if it consists of words with a dot in between.
const fn has_atoms(text: &[u8]) -> bool {
    let mut start = 0;
    loop {
        let end = find(text, b'.', start);
        let word = part(text, start, end);
        if word.is_empty()
            || any!(word, |byte| !byte.is_ascii_alphanumeric()
                && !contains(b"!#$%&'*+-/=?^_`{|}~", *byte))
        {
            return false;
        }
        if end == text.len() {
            return true;
        }
        start = end + 1;
    }
}

pub(super) const fn is_hostname(text: &[u8]) -> bool {
    if text.len() > 253 {
        return false;
    }
    let mut start = 0;
    loop {
        let end = find(text, b'.', start);
        if !is_label(part(text, start, end)) {
            return false;
        }
        if end == text.len() {
            return true;
        }
        start = end + 1;
    }
}

const fn is_label(label: &[u8]) -> bool {
    if label.is_empty()
        || label.len() > 63
        || any!(label, |byte| !byte.is_ascii_alphanumeric() && *byte != b'-')
    {
        return false;
    }
    // Of what may stand there, only the prefix of names that are not ASCII is in use.
    let is_marked = label.len() >= 4 && label[2] == b'-' && label[3] == b'-';
    let is_encoded =
        matches!(label[0], b'x' | b'X') && label.len() > 1 && matches!(label[1], b'n' | b'N');
    label[0] != b'-' && label[label.len() - 1] != b'-' && (!is_marked || is_encoded)
}

pub(super) const fn is_ipv4(text: &[u8]) -> bool {
    matches!(ipv4_end(text, 0), Some(end) if end == text.len())
}

/// The place after four numbers.
const fn ipv4_end(text: &[u8], start: usize) -> Option<usize> {
    let (mut index, mut numbers) = (start, 0);
    while numbers < 4 {
        if numbers > 0 {
            if index >= text.len() || text[index] != b'.' {
                return None;
            }
            index += 1;
        }
        let end = after_digits(text, index);
        let length = end - index;
        if length == 0 || length > 3 || (length > 1 && text[index] == b'0') {
            return None;
        }
        if !matches!(number(text, index, length), Some(..=255)) {
            return None;
        }
        (index, numbers) = (end, numbers + 1);
    }
    Some(index)
}

pub(super) const fn is_ipv6(text: &[u8]) -> bool {
    let head = groups(text, 0, 8);
    if head.count == 8 {
        return head.end == text.len();
    }
    if head.ends_as_ipv4
        || text.len() < head.end + 2
        || text[head.end] != b':'
        || text[head.end + 1] != b':'
    {
        return false;
    }
    groups(text, head.end + 2, 7 - head.count).end == text.len()
}

/// Groups of an IPv6 address, with a colon in between.
struct Groups {
    /// The number of groups; an IPv4 address counts as two.
    count: usize,
    /// The place after them.
    end: usize,
    ends_as_ipv4: bool,
}

const fn groups(text: &[u8], start: usize, most: usize) -> Groups {
    let (mut count, mut end) = (0, start);
    while count < most {
        let mut index = end;
        if count > 0 {
            if index >= text.len() || text[index] != b':' {
                break;
            }
            index += 1;
        }
        if count + 1 < most
            && let Some(end) = ipv4_end(text, index)
        {
            return Groups {
                count: count + 2,
                end,
                ends_as_ipv4: true,
            };
        }
        let first = index;
        while index < text.len() && text[index].is_ascii_hexdigit() {
            index += 1;
        }
        if index == first || index - first > 4 {
            break;
        }
        (count, end) = (count + 1, index);
    }
    Groups {
        count,
        end,
        ends_as_ipv4: false,
    }
}
