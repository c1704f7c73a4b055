//! White space and comments.

use super::{Ended, Fallible, Reader, quoted::Quotes};
use crate::tool::ChangeKind;

/// The part that is expected after the white space. Where a value is expected, text that looks like a comment may be
/// a value without quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// The whole, a key or an item.
    Part,
    Colon,
    /// The value of a key.
    Value,
    /// A comma or a closing bracket.
    Separator(Ended),
    End,
}

/// The content between two parts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Gap {
    pub(super) has_line_end: bool,
    pub(super) has_comment: bool,
}

impl Reader<'_> {
    /// Passes over white space and comments.
    pub(super) fn skip(&mut self, before: Before) -> Fallible<Gap> {
        let mut gap = Gap::default();
        while let Some(next) = self.peek() {
            match next {
                '\n' | '\r' => gap.has_line_end = true,
                ' ' | '\t' => {}
                '/' if self.rest().starts_with("/*") => {
                    let Some(end) = self.rest()[2..].find("*/") else {
                        return self.refuse("the text ends inside a comment");
                    };
                    self.comment(2 + end + 2, before, &mut gap)?;
                    continue;
                }
                '/' if self.rest().starts_with("//") => {
                    let body = line(&self.rest()[2..]);
                    if !is_comment(body, before) {
                        return Ok(gap);
                    }
                    self.comment(2 + body.len(), before, &mut gap)?;
                    continue;
                }
                '#' => {
                    let body = line(&self.rest()[1..]);
                    let is_comment = body.is_empty() || body.starts_with([' ', '\t', '#']);
                    if !is_comment || before == Before::Value {
                        return Ok(gap);
                    }
                    self.comment(1 + body.len(), before, &mut gap)?;
                    continue;
                }
                odd if is_odd_space(odd) => self.changed(ChangeKind::WhiteSpace),
                _ => return Ok(gap),
            }
            self.at += next.len_utf8();
        }
        Ok(gap)
    }

    fn comment(&mut self, length: usize, before: Before, gap: &mut Gap) -> Fallible<()> {
        if self.may_end_text(&self.rest()[..length], before) {
            return self.refuse("a quote that may end a string or be part of a comment");
        }
        self.at += length;
        gap.has_comment = true;
        self.changed(ChangeKind::Comment);
        Ok(())
    }

    /// Returns true if text that looks like a comment may be the rest of a string that holds a quote. After the
    /// whole, any quote may be the end of an earlier string, because nothing has to follow. Elsewhere it has to be
    /// the next quote of its kind, and the text after it has to be one that can follow a string.
    fn may_end_text(&self, comment: &str, before: Before) -> bool {
        let mut quotes = comment
            .char_indices()
            .filter_map(|(at, char)| Some((at + char.len_utf8(), Quotes::opened_by(char)?)));
        if before == Before::End {
            return quotes.any(|(_, quotes)| self.all_quotes.contains(&quotes));
        }
        let Some((behind, _)) = quotes.find(|(_, quotes)| Some(*quotes) == self.last_quotes) else {
            return false;
        };
        let behind = comment[behind..].trim_start_matches([' ', '\t']);
        behind.is_empty() || behind.starts_with([',', '}', ']', ':', '\n', '\r'])
    }
}

fn line(text: &str) -> &str {
    &text[..text.find(['\n', '\r']).unwrap_or(text.len())]
}

/// Returns true if two slashes start a comment, and not an address or a division.
fn is_comment(body: &str, before: Before) -> bool {
    match before {
        Before::Value => body.is_empty() || body.starts_with([' ', '\t']),
        Before::Separator(Ended::Number) => {
            let words = body.trim_start_matches([' ', '\t']);
            !words.starts_with(|char: char| char.is_ascii_digit() || "(-+.".contains(char))
        }
        _ => true,
    }
}

/// White space that JSON does not have, and marks that show nothing.
fn is_odd_space(char: char) -> bool {
    char.is_whitespace() || matches!(char, '\u{180e}' | '\u{200b}' | '\u{feff}')
}
