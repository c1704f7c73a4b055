//! Nesting depth of JSON, and detection of its end.

use crate::tokens::string_end;

/// Counts how many arrays and objects stand inside each other, at the deepest place.
///
/// The text need not be valid JSON. Brackets inside of strings are not counted.
pub fn nesting(json: &str) -> usize {
    let mut nesting = Nesting::default();
    nesting.read(json.as_bytes());
    nesting.deepest
}

/// Returns true if more than so many arrays and objects stand inside each other.
pub fn is_deeper(json: &str, most: usize) -> bool {
    // Nearly no text has so many brackets at all. They are counted in bytes, of which many are added at once.
    let open = |byte: &u8| u8::from(matches!(byte, b'{' | b'['));
    let pieces = json.as_bytes().chunks(usize::from(u8::MAX));
    let count = |piece: &[u8]| usize::from(piece.iter().map(open).sum::<u8>());
    pieces.map(count).sum::<usize>() > most && nesting(json) > most
}

/// A scanner that finds the end of an object or array of JSON that comes in pieces. It looks at each byte
/// once.
#[derive(Debug, Default)]
pub struct Nesting {
    open: usize,
    deepest: usize,
    in_string: bool,
    /// True if the next byte is the second of an escape in a string.
    escaped: bool,
    closed: bool,
}

impl Nesting {
    /// Reads the next piece.
    pub fn read(&mut self, piece: &[u8]) {
        let mut at = usize::from(self.escaped);
        loop {
            if self.in_string {
                let end = string_end(piece, at);
                self.escaped = end.is_err_and(|next| next > piece.len());
                let Ok(end) = end else { return };
                (at, self.in_string) = (end, false);
            }
            while !self.in_string {
                let Some(byte) = piece.get(at) else { return };
                at += 1;
                match byte {
                    b'"' => self.in_string = true,
                    b'{' | b'[' => {
                        self.open += 1;
                        self.deepest = self.deepest.max(self.open);
                    }
                    b'}' | b']' => {
                        self.open = self.open.saturating_sub(1);
                        self.closed |= self.open == 0;
                    }
                    _ => {}
                }
            }
        }
    }

    /// Returns true if the object or array that was opened first has been closed.
    pub fn is_closed(&self) -> bool {
        self.closed
    }
}

#[cfg(test)]
mod tests {
    use super::{Nesting, is_deeper, nesting};

    #[test]
    fn levels_are_counted_outside_of_strings() {
        for (json, expected) in [
            ("1", 0),
            ("[]", 1),
            (r#"{"a":[{}],"b":[]}"#, 3),
            (r#"["[[[{{{","\"[["]"#, 1),
        ] {
            assert_eq!(nesting(json), expected, "{json}");
            assert!(!is_deeper(json, expected), "{json}");
            assert!(expected == 0 || is_deeper(json, expected - 1), "{json}");
        }
    }

    #[test]
    fn it_is_closed_by_the_bracket_that_ends_it() {
        for json in [r#"{"a":["}",{"b\\":"\""}]}"#, r#"[{"]":[]}]"#, "{}"] {
            for cut in 0..json.len() {
                let mut nesting = Nesting::default();
                nesting.read(&json.as_bytes()[..cut]);
                assert!(!nesting.is_closed(), "{}", &json[..cut]);
                nesting.read(&json.as_bytes()[cut..]);
                assert!(nesting.is_closed(), "{json}");
            }
        }
        let mut nesting = Nesting::default();
        nesting.read(b"a page: \"{}");
        assert!(!nesting.is_closed());
    }
}
