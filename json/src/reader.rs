//! JSON that is read part by part, in one pass and without copies.
//!
//! The events of a stream are read in this way: each is small, most of it is of no use, and there are
//! thousands of them. What is skipped is checked as well. Texts that are JSON to `serde_json` are JSON here, and no
//! others.

mod brackets;
mod scan;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use brackets::Brackets;
use scan::{literal_end, number_end, string_end};

use crate::{
    raw::Raw,
    string::{unescaped, whole_characters},
};

/// The error of a text that is not JSON, or has another kind of value than the expected one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unexpected {
    /// What was to stand there.
    pub expected: &'static str,
    /// Its place, in bytes.
    pub at: usize,
}

/// Reads a JSON text from its beginning on.
#[derive(Debug)]
pub struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    /// Starts at the beginning of a text.
    pub fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// Reads the members of an object: for each of them its key, after which `value` has to read the value. Half a
    /// character in a key is `U+FFFD`.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no object, and those of `value`.
    #[inline]
    pub fn members(
        &mut self,
        mut value: impl FnMut(&mut Self, Cow<'t, str>) -> Result<(), Unexpected>,
    ) -> Result<(), Unexpected> {
        self.written_members(|reader, key| value(reader, key.unwrap_or_else(whole_characters)))
    }

    /// Reads the members of an object as [`members`](Self::members) does. A key with half a character is an error:
    /// as it is written, with its quotes.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no object, and those of `value`.
    #[inline]
    pub fn written_members(
        &mut self,
        mut value: impl FnMut(&mut Self, Result<Cow<'t, str>, &'t str>) -> Result<(), Unexpected>,
    ) -> Result<(), Unexpected> {
        self.expect(b'{', "an object")?;
        if self.has(b'}') {
            return Ok(());
        }
        loop {
            let (start, end, has_escapes) = self.skip_key()?;
            let key = if has_escapes {
                let key = &self.text[start..end];
                unescaped(key).ok_or(key)
            } else {
                Ok(Cow::Borrowed(&self.text[start + 1..end - 1]))
            };
            value(self, key)?;
            if !self.has(b',') {
                return self.expect(b'}', "`,` or `}`");
            }
        }
    }

    /// Reads the items of an array: `item` has to read each of them.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no array, and those of `item`.
    #[inline]
    pub fn items(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<(), Unexpected>,
    ) -> Result<(), Unexpected> {
        self.expect(b'[', "a list")?;
        if self.has(b']') {
            return Ok(());
        }
        loop {
            item(self)?;
            if !self.has(b',') {
                return self.expect(b']', "`,` or `]`");
            }
        }
    }

    /// Reads the next value, whatever it is.
    ///
    /// # Errors
    ///
    /// Returns an error if there is none.
    #[inline]
    pub fn value(&mut self) -> Result<Raw<'t>, Unexpected> {
        self.skip_space();
        let start = self.at;
        let is_plain = match self.text.as_bytes().get(start) {
            Some(b'{' | b'[') => self.skip_nested().map(|()| false)?,
            _ => self.skip_flat()?,
        };
        let json = &self.text[start..self.at];
        Ok(Raw::read(json, is_plain))
    }

    /// Reads `null`, if it comes next.
    #[inline]
    pub fn null(&mut self) -> bool {
        self.skip_space();
        let is_null = self.text.as_bytes()[self.at..].starts_with(b"null");
        self.at += if is_null { 4 } else { 0 };
        is_null
    }

    /// Reads a string without escapes, if it comes next.
    #[inline]
    pub fn plain_string(&mut self) -> bool {
        let end = if self.begins_with(b'"') {
            string_end(self.text.as_bytes(), self.at + 1)
        } else {
            None
        };
        let Some((end, false)) = end else {
            return false;
        };
        self.at = end;
        true
    }

    /// Returns true if the next value begins with this byte.
    #[inline]
    pub fn begins_with(&mut self, byte: u8) -> bool {
        self.skip_space();
        self.text.as_bytes().get(self.at) == Some(&byte)
    }

    /// Returns the place where the next value begins, for [`since`](Self::since).
    #[inline]
    pub fn start(&mut self) -> usize {
        self.skip_space();
        self.at
    }

    /// Returns the text that has been read since a place.
    #[inline]
    pub fn since(&self, start: usize) -> &'t str {
        &self.text[start..self.at]
    }

    /// Ends the text.
    ///
    /// # Errors
    ///
    /// Returns an error if more than space is left of it.
    pub fn end(mut self) -> Result<(), Unexpected> {
        self.skip_space();
        if self.at == self.text.len() {
            Ok(())
        } else {
            Err(self.unexpected("the end"))
        }
    }

    /// The error of what stands here.
    pub fn unexpected(&self, expected: &'static str) -> Unexpected {
        Unexpected {
            expected,
            at: self.at,
        }
    }

    /// Skips a key and the colon behind it: the place of the key with its quotes, and true if there are escapes in it.
    #[inline]
    fn skip_key(&mut self) -> Result<(usize, usize, bool), Unexpected> {
        self.expect(b'"', "a key")?;
        let start = self.at - 1;
        let (end, has_escapes) = self.string_end()?;
        self.at = end;
        self.expect(b':', "`:`")?;
        Ok((start, end, has_escapes))
    }

    /// Skips an object or an array. It does not recurse: the writer of the JSON decides how deep it is.
    fn skip_nested(&mut self) -> Result<(), Unexpected> {
        let mut open = Brackets::default();
        loop {
            self.skip_space();
            let bracket = match self.text.as_bytes().get(self.at) {
                Some(bracket @ (b'{' | b'[')) => *bracket,
                _ => 0,
            };
            if bracket == 0 {
                self.skip_flat()?;
            } else {
                self.at += 1;
                let is_object = bracket == b'{';
                if !self.has(bracket + 2) {
                    open.push(is_object);
                    if is_object {
                        self.skip_key()?;
                    }
                    continue;
                }
            }
            loop {
                let Some(is_object) = open.last() else {
                    return Ok(());
                };
                if self.has(b',') {
                    if is_object {
                        self.skip_key()?;
                    }
                    break;
                }
                if is_object {
                    self.expect(b'}', "`,` or `}`")?;
                } else {
                    self.expect(b']', "`,` or `]`")?;
                }
                open.pop();
            }
        }
    }

    /// Skips a string, a number or a word, and says if it was a string without escapes.
    #[inline]
    fn skip_flat(&mut self) -> Result<bool, Unexpected> {
        let json = self.text.as_bytes();
        let mut is_plain = false;
        self.at = match json.get(self.at) {
            Some(b'"') => {
                self.at += 1;
                let (end, has_escapes) = self.string_end()?;
                is_plain = !has_escapes;
                end
            }
            Some(b'-' | b'0'..=b'9') => {
                number_end(json, self.at).ok_or_else(|| self.unexpected("a number"))?
            }
            _ => literal_end(json, self.at).ok_or_else(|| self.unexpected("a value"))?,
        };
        Ok(is_plain)
    }

    #[expect(
        clippy::inline_always,
        reason = "most of a text is strings, so short that a call takes as long as they do"
    )]
    #[inline(always)]
    fn string_end(&self) -> Result<(usize, bool), Unexpected> {
        string_end(self.text.as_bytes(), self.at).ok_or_else(|| self.unexpected("a string"))
    }

    #[inline]
    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.text.as_bytes().get(self.at) {
            self.at += 1;
        }
    }

    /// Reads this byte, if it comes next.
    #[inline]
    fn has(&mut self, byte: u8) -> bool {
        // Nearly all JSON that comes over the wire has no space in it.
        let json = self.text.as_bytes();
        if json.get(self.at) != Some(&byte) {
            self.skip_space();
            if json.get(self.at) != Some(&byte) {
                return false;
            }
        }
        self.at += 1;
        true
    }

    #[inline]
    fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), Unexpected> {
        if self.has(byte) {
            Ok(())
        } else {
            Err(self.unexpected(expected))
        }
    }
}
