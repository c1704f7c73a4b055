//! Markers in text, such as `<tool_call>`: comparison and search.
//!
//! Case does not count. Nor do two characters of `DeepSeek`, which models and servers also write in ASCII: `｜` is `|`,
//! `▁` is `_`, and so is a space.

/// The way in which a text begins with a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Match {
    /// It begins with the marker, which takes so many bytes.
    Full(usize),
    /// It ends within what may be the marker.
    Partial,
    /// It begins otherwise.
    No,
}

/// The place of a marker in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found {
    /// The position of its first byte.
    pub(crate) at: usize,
    /// The number of its bytes.
    pub(crate) len: usize,
    /// Its place in the list of those that were looked for.
    pub(crate) which: usize,
}

/// The number of backticks that are counted: a longer run is several.
pub(crate) const MAX_TICKS: usize = 64;

/// Counts the backticks at the beginning of a text; or the tildes, which stand around code blocks too.
pub(crate) fn ticks(text: &str) -> usize {
    run(text, if text.starts_with('~') { b'~' } else { b'`' })
}

/// Counts how often a byte stands at the beginning of a text.
pub(crate) fn run(text: &str, byte: u8) -> usize {
    let run = text.bytes().take(MAX_TICKS);
    run.take_while(|next| *next == byte).count()
}

fn folded(char: char) -> char {
    match char {
        '\u{ff5c}' => '|',
        '\u{2581}' | ' ' => '_',
        char => char.to_ascii_lowercase(),
    }
}

/// The maximum number of spaces before the bracket that ends a tag.
const SPACES: usize = 8;

/// Compares the beginning of a text with a marker. Space may stand before the bracket that ends a tag.
pub(crate) fn begins(text: &str, marker: &str) -> Match {
    let mut chars = text.chars();
    let is_tag = marker.starts_with('<');
    for expected in marker.chars() {
        let mut char = chars.next();
        if expected == '>' && is_tag {
            let mut spaces = 0;
            while char == Some(' ') && spaces < SPACES {
                (char, spaces) = (chars.next(), spaces + 1);
            }
        }
        match char {
            None => return Match::Partial,
            Some(char) if char == expected || folded(char) == folded(expected) => {}
            Some(_) => return Match::No,
        }
    }
    Match::Full(text.len() - chars.as_str().len())
}

/// Finds the longest of these markers at the beginning of a text. `Partial` if a longer text decides it.
pub(crate) fn longest<'m>(text: &str, markers: impl IntoIterator<Item = &'m str>) -> Match {
    let mut best = Match::No;
    for marker in markers {
        match (begins(text, marker), best) {
            (Match::Partial, _) => return Match::Partial,
            (Match::Full(len), Match::Full(before)) if len <= before => {}
            (Match::Full(len), _) => best = Match::Full(len),
            (Match::No, _) => {}
        }
    }
    best
}

/// Finds the first of these markers in a text, from a position on.
///
/// # Errors
///
/// Returns the position from which a longer text has to be searched.
pub(crate) fn find(
    text: &str,
    from: usize,
    is_end: bool,
    markers: &[&str],
) -> Result<Found, usize> {
    let first: Vec<u8> = markers.iter().map(|marker| marker.as_bytes()[0]).collect();
    let mut at = from;
    while let Some(next) = next_of(&text.as_bytes()[at..], &first) {
        at += next;
        let rest = &text[at..];
        for (which, marker) in markers.iter().enumerate() {
            match begins(rest, marker) {
                Match::Full(len) => return Ok(Found { at, len, which }),
                Match::Partial if !is_end => return Err(at),
                Match::Partial | Match::No => {}
            }
        }
        // Markers begin with characters of one byte, or with whole ones of more.
        at += rest.chars().next().map_or(1, char::len_utf8);
    }
    Err(text.len())
}

/// The first of these bytes; letters in either case.
fn next_of(text: &[u8], bytes: &[u8]) -> Option<usize> {
    match bytes {
        [] => None,
        [one, rest @ ..] if !one.is_ascii_alphabetic() && rest.iter().all(|byte| byte == one) => {
            memchr::memchr(*one, text)
        }
        _ => text
            .iter()
            .position(|byte| bytes.iter().any(|one| one.eq_ignore_ascii_case(byte))),
    }
}

#[cfg(test)]
mod tests {
    use super::{Match, begins, find, longest};

    #[test]
    fn case_and_the_bars_of_deepseek_do_not_count() {
        let full = |text: &str, marker| assert_eq!(begins(text, marker), Match::Full(text.len()));
        full("<Tool_Call>", "<tool_call>");
        full("<｜tool▁calls▁begin｜>", "<|tool_calls_begin|>");
        full("<tool_call >", "<tool_call>");
        full("</tool_call  >", "</tool_call>");
        assert_eq!(begins("<tool_call ", "<tool_call>"), Match::Partial);
        assert_eq!(begins("<tool_call id=1>", "<tool_call>"), Match::No);
        assert_eq!(begins(">> >", ">>>"), Match::No);
        assert_eq!(begins("<tool_", "<tool_call>"), Match::Partial);
        assert_eq!(begins("<tool-", "<tool_call>"), Match::No);
        assert_eq!(longest("<tools", ["<tool", "<tools>"]), Match::Partial);
        assert_eq!(longest("<tools>", ["<tool", "<tools>"]), Match::Full(7));
    }

    #[test]
    fn a_search_stops_where_a_marker_may_begin() {
        let markers = ["</a>", "[/B]"];
        assert_eq!(find("é</x </a>", 0, false, &markers).unwrap().at, 6);
        assert_eq!(find("x [/b]", 0, false, &markers).unwrap().which, 1);
        assert_eq!(find("x [/", 0, false, &markers), Err(2));
        assert_eq!(find("x [/", 0, true, &markers), Err(4));
        assert_eq!(find("x", 0, false, &[]), Err(1));
    }
}
