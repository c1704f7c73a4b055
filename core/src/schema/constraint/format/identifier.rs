//! URIs and UUIDs.

use super::{address::is_ipv6, after_digits, contains, find, find_last, part};
use crate::schema::each::any;

pub(super) const fn is_uri(text: &[u8]) -> bool {
    let colon = find(text, b':', 0);
    if colon == text.len() || !is_scheme(part(text, 0, colon)) {
        return false;
    }
    let hash = find(text, b'#', colon + 1);
    let question = find(part(text, 0, hash), b'?', colon + 1);
    let hierarchy = part(text, colon + 1, question);
    let has_authority = hierarchy.len() >= 2 && hierarchy[0] == b'/' && hierarchy[1] == b'/';
    let path = if has_authority {
        find(hierarchy, b'/', 2)
    } else {
        0
    };
    let query = if question < hash { question + 1 } else { hash };
    let fragment = if hash < text.len() { hash + 1 } else { hash };
    (!has_authority || is_authority(part(hierarchy, 2, path)))
        && has_only(part(hierarchy, path, hierarchy.len()), b":@/")
        && has_only(part(text, query, hash), b":@/?")
        && has_only(part(text, fragment, text.len()), b":@/?")
}

const fn is_scheme(text: &[u8]) -> bool {
    !text.is_empty()
        && text[0].is_ascii_alphabetic()
        && !any!(text, |byte| !byte.is_ascii_alphanumeric()
            && !contains(b"+-.", *byte))
}

const fn is_authority(text: &[u8]) -> bool {
    let (user, host) = match find_last(text, b'@') {
        Some(at) => (part(text, 0, at), part(text, at + 1, text.len())),
        None => (part(text, 0, 0), text),
    };
    if !has_only(user, b":") {
        return false;
    }
    let end = if !host.is_empty() && host[0] == b'[' {
        let end = find(host, b']', 1);
        if end == host.len() || !is_ipv6(part(host, 1, end)) {
            return false;
        }
        end + 1
    } else {
        let end = find(host, b':', 0);
        if !has_only(part(host, 0, end), b"") {
            return false;
        }
        end
    };
    end == host.len() || (host[end] == b':' && after_digits(host, end + 1) == host.len())
}

/// Returns true if there are only unreserved characters, escapes, sub-delimiters and these.
const fn has_only(text: &[u8], more: &[u8]) -> bool {
    let mut index = 0;
    while index < text.len() {
        let byte = text[index];
        if byte == b'%' {
            if index + 2 >= text.len()
                || !text[index + 1].is_ascii_hexdigit()
                || !text[index + 2].is_ascii_hexdigit()
            {
                return false;
            }
            index += 2;
        } else if !byte.is_ascii_alphanumeric()
            && !contains(b"-._~!$&'()*+,;=", byte)
            && !contains(more, byte)
        {
            return false;
        }
        index += 1;
    }
    true
}

pub(super) const fn is_uuid(text: &[u8]) -> bool {
    let mut index = 0;
    while index < text.len() {
        let fits = match index {
            8 | 13 | 18 | 23 => text[index] == b'-',
            _ => text[index].is_ascii_hexdigit(),
        };
        if !fits {
            return false;
        }
        index += 1;
    }
    text.len() == 36
}
