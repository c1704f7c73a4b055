//! Tokens of JSON text: brackets, commas, colons and scalars.
//!
//! Whatever scans JSON text reads these. A text that is not JSON gives tokens of no meaning, and no panic.

use memchr::memchr2;

/// The number of bytes that are looked at one by one, before a search by blocks, which takes its time to start.
const NEAR: usize = 16;

/// Finds the place behind the quote that ends a string, from a place within it.
///
/// # Errors
///
/// Returns the place where the search goes on if the string does not end here: one beyond the end of the text, if
/// that is in the middle of an escape.
#[inline]
pub fn string_end(json: &[u8], mut at: usize) -> Result<usize, usize> {
    while let Some(rest) = json.get(at..) {
        let (near, far) = rest.split_at(rest.len().min(NEAR));
        let is_special = |byte: &u8| matches!(byte, b'"' | b'\\');
        let found = near
            .iter()
            .position(is_special)
            .or_else(|| Some(near.len() + memchr2(b'"', b'\\', far)?));
        match found {
            Some(found) if rest[found] == b'"' => return Ok(at + found + 1),
            Some(found) => at += found + 2,
            None => return Err(json.len()),
        }
    }
    Err(at)
}

/// The tokens of a text that is known to be JSON. A string is one token, with its quotes.
#[derive(Debug, Clone)]
pub struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Tokens<'t> {
    /// Starts at the beginning of a text.
    pub fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the place behind the last token.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Returns the next token of the array or object that is open: the first token of an item, a key, or the
    /// first token of its value. `None` at the bracket that closes it.
    #[inline]
    pub fn part(&mut self) -> Option<&'t str> {
        self.find(|token| !matches!(*token, "," | ":"))
            .filter(|token| !matches!(*token, "}" | "]"))
    }

    /// Goes past the rest of the array or object that is open.
    pub fn skip_rest(&mut self) {
        let mut open = 1_usize;
        while open > 0
            && let Some(token) = self.next()
        {
            match token {
                "{" | "[" => open += 1,
                "}" | "]" => open -= 1,
                _ => {}
            }
        }
    }
}

/// The bytes that end a number or a word.
const ENDS: [bool; 256] = {
    let (mut ends, of) = ([false; 256], b" \t\n\r,:}]");
    let mut place = 0;
    while place < of.len() {
        ends[of[place] as usize] = true;
        place += 1;
    }
    ends
};

impl<'t> Iterator for Tokens<'t> {
    type Item = &'t str;

    #[inline]
    fn next(&mut self) -> Option<&'t str> {
        let json = self.text.as_bytes();
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = json.get(self.at) {
            self.at += 1;
        }
        let start = self.at;
        self.at = match json.get(start)? {
            b'{' | b'}' | b'[' | b']' | b',' | b':' => start + 1,
            b'"' => string_end(json, start + 1).unwrap_or(json.len()),
            _ => {
                let scalar = json[start..].iter();
                start + scalar.take_while(|&&byte| !ENDS[usize::from(byte)]).count()
            }
        };
        Some(&self.text[start..self.at])
    }
}

#[cfg(test)]
mod tests {
    use super::Tokens;

    #[test]
    fn a_text_is_cut_into_its_tokens() {
        let tokens = |json| Tokens::new(json).collect::<Vec<_>>().join("|");
        assert_eq!(
            tokens("\n{ \"a\\\"{\\\\\" :[1.5e3,true , \"é\\\\\"]}"),
            "{|\"a\\\"{\\\\\"|:|[|1.5e3|,|true|,|\"é\\\\\"|]|}"
        );
        // No text is cut within a character, and none is read beyond its end.
        for text in [
            "\"\\",
            "\"\\é",
            "\"é",
            "é\"",
            "\u{a0}[\u{a0}",
            "-\"\\\"",
            "",
        ] {
            assert_eq!(Tokens::new(text).collect::<String>(), text);
        }
    }

    #[test]
    fn the_parts_of_what_is_open_end_with_its_bracket() {
        let mut tokens = Tokens::new(r#"{"a" : 1, "b": "c"} 2"#);
        assert_eq!(tokens.next(), Some("{"));
        let parts: Vec<_> = std::iter::from_fn(|| tokens.part()).collect();
        assert_eq!(parts, ["\"a\"", "1", "\"b\"", "\"c\""]);
        assert_eq!((tokens.at(), tokens.next()), (19, Some("2")));
    }
}
