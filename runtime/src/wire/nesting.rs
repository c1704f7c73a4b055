//! Whether JSON that comes in pieces is whole.

/// Whether an object or a list of JSON that comes in pieces has been closed. Each byte is looked at once.
#[derive(Debug, Default)]
pub(crate) struct Nesting {
    open: usize,
    in_string: bool,
    escaped: bool,
    closed: bool,
}

impl Nesting {
    /// Reads the next piece.
    pub(crate) fn read(&mut self, piece: &[u8]) {
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

    /// Whether what was opened first has been closed.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }
}

#[cfg(test)]
mod tests {
    use super::Nesting;

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
