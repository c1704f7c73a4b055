//! Nesting depth of JSON, and detection of its end.

/// Counts how many arrays and objects stand inside each other, at the deepest place.
///
/// The text need not be valid JSON. Brackets inside of strings are not counted.
pub fn nesting(json: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut in_string, mut escaped) = (false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// A scanner that finds the end of an object or array of JSON that comes in pieces. It looks at each byte
/// once.
#[derive(Debug, Default)]
pub struct Nesting {
    open: usize,
    in_string: bool,
    escaped: bool,
    closed: bool,
}

impl Nesting {
    /// Reads the next piece.
    pub fn read(&mut self, piece: &[u8]) {
        for byte in piece {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_string => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                b'{' | b'[' if !self.in_string => self.open += 1,
                b'}' | b']' if !self.in_string => {
                    self.open = self.open.saturating_sub(1);
                    self.closed |= self.open == 0;
                }
                _ => {}
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
    use super::{Nesting, nesting};

    #[test]
    fn levels_are_counted_outside_of_strings() {
        for (json, expected) in [
            ("1", 0),
            ("[]", 1),
            (r#"{"a":[{}],"b":[]}"#, 3),
            (r#"["[[[{{{","\"[["]"#, 1),
        ] {
            assert_eq!(nesting(json), expected, "{json}");
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
