//! The ends of strings, numbers and words.

/// Finds the place behind the quote that ends a string, from the place behind the one that begins it, and whether
/// there are escapes in it. `None` if it does not end, or holds what must not stand in a string.
#[inline]
pub(super) fn string_end(json: &[u8], mut at: usize) -> Option<(usize, bool)> {
    let mut has_escapes = false;
    loop {
        at += plain(json.get(at..)?);
        match json.get(at)? {
            b'"' => return Some((at + 1, has_escapes)),
            b'\\' => {
                has_escapes = true;
                at = escape_end(json, at + 1)?;
            }
            _ => return None,
        }
    }
}

/// Counts the bytes before the next quote, backslash or control character.
#[inline]
fn plain(bytes: &[u8]) -> usize {
    // Eight at a time: the highest bit of a byte is set where it is one of these. Such a bit may be wrong
    // only above one that is right.
    const ONES: u64 = u64::MAX / 255;
    const HIGHEST: u64 = ONES << 7;
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
    let (words, rest) = bytes.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let control = word.wrapping_sub(ONES * 0x20) & !word;
        let quotes = zeros(word ^ (ONES * u64::from(b'"')));
        let backslashes = zeros(word ^ (ONES * u64::from(b'\\')));
        let special = (control | quotes | backslashes) & HIGHEST;
        if special != 0 {
            return number * 8 + special.trailing_zeros() as usize / 8;
        }
    }
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | ..0x20);
    let found = rest.iter().position(is_special);
    words.len() * 8 + found.unwrap_or(rest.len())
}

/// Finds the place behind an escape, from the place behind its backslash.
fn escape_end(json: &[u8], at: usize) -> Option<usize> {
    match json.get(at)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(at + 1),
        b'u' => {
            let digits = json.get(at + 1..at + 5)?;
            digits.iter().all(u8::is_ascii_hexdigit).then_some(at + 5)
        }
        _ => None,
    }
}

/// Finds the place behind a number.
pub(super) fn number_end(json: &[u8], mut at: usize) -> Option<usize> {
    let digits = |at: usize| {
        let rest = json.get(at..).unwrap_or_default();
        at + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    if json.get(at) == Some(&b'-') {
        at += 1;
    }
    let whole = digits(at);
    if whole == at || (json[at] == b'0' && whole > at + 1) {
        return None;
    }
    at = whole;
    if json.get(at) == Some(&b'.') {
        let end = digits(at + 1);
        if end == at + 1 {
            return None;
        }
        at = end;
    }
    if let Some(b'e' | b'E') = json.get(at) {
        let sign = usize::from(matches!(json.get(at + 1), Some(b'+' | b'-')));
        let end = digits(at + 1 + sign);
        if end == at + 1 + sign {
            return None;
        }
        at = end;
    }
    Some(at)
}

/// Finds the place behind `null`, `true` or `false`.
pub(super) fn literal_end(json: &[u8], at: usize) -> Option<usize> {
    let rest = json.get(at..)?;
    let words = [&b"null"[..], b"true", b"false"];
    let word = words.into_iter().find(|word| rest.starts_with(word))?;
    Some(at + word.len())
}
