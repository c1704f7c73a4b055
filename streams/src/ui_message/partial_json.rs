//! Arguments that still come, as `parsePartialJson` of `ai` reads them.

use toolwright_json::JsonText;

use super::client_json::is_refused;

/// Where a reader stands in JSON that may end anywhere.
#[derive(Debug, Clone, Copy, PartialEq)]
enum At {
    Root,
    Finish,
    String,
    StringEscape,
    UnicodeEscape,
    Literal,
    Number,
    ObjectStart,
    ObjectKey,
    ObjectAfterKey,
    ObjectBeforeValue,
    ObjectAfterValue,
    ObjectAfterComma,
    ArrayStart,
    ArrayAfterValue,
    ArrayAfterComma,
}

const LITERALS: [&str; 3] = ["true", "false", "null"];

/// The value of a text that may be the beginning of JSON; `None` if it has none.
pub(super) fn read(text: &str) -> Option<JsonText> {
    JsonText::new(text)
        .or_else(|_| JsonText::new(completed(text)))
        .ok()
        .filter(|json| !is_refused(json.as_str()))
}

/// The text up to where it can be completed, completed.
fn completed(text: &str) -> String {
    let mut reader = Reader {
        stack: vec![At::Root],
        end: 0,
        literal: 0,
        digits: 0,
    };
    for (place, byte) in text.bytes().enumerate() {
        reader.read(text, place, byte);
    }
    let end = toolwright_json::char_boundary::floor(text, reader.end);
    let mut whole = text[..end].to_owned();
    for at in reader.stack.iter().rev() {
        match at {
            At::String => whole.push('"'),
            At::ObjectStart
            | At::ObjectKey
            | At::ObjectAfterKey
            | At::ObjectBeforeValue
            | At::ObjectAfterValue
            | At::ObjectAfterComma => whole.push('}'),
            At::ArrayStart | At::ArrayAfterValue | At::ArrayAfterComma => whole.push(']'),
            At::Literal => {
                let begun = &text[reader.literal..];
                let rest = LITERALS.iter().find_map(|all| all.strip_prefix(begun));
                whole.push_str(rest.unwrap_or_default());
            }
            At::Root | At::Finish | At::StringEscape | At::UnicodeEscape | At::Number => {}
        }
    }
    whole
}

struct Reader {
    stack: Vec<At>,
    /// The end of what can be completed.
    end: usize,
    /// The place where a literal begins.
    literal: usize,
    /// The number of digits of a Unicode escape.
    digits: u8,
}

impl Reader {
    fn read(&mut self, text: &str, place: usize, byte: u8) {
        let Some(at) = self.stack.last().copied() else {
            return;
        };
        match (at, byte) {
            (At::Root, _) => self.value(place, byte, At::Finish),
            (At::ObjectStart | At::ObjectAfterComma, b'"') => self.becomes(At::ObjectKey),
            (At::ObjectStart, b'}') | (At::ArrayStart | At::ArrayAfterValue, b']') => {
                self.closes(place);
            }
            (At::ObjectKey, b'"') => self.becomes(At::ObjectAfterKey),
            (At::ObjectAfterKey, b':') => self.becomes(At::ObjectBeforeValue),
            (At::ObjectBeforeValue, _) => self.value(place, byte, At::ObjectAfterValue),
            (At::ObjectAfterValue, _) => self.after_member(place, byte),
            (At::String, b'"') => self.closes(place),
            (At::String, b'\\') => self.stack.push(At::StringEscape),
            (At::ArrayAfterValue, b',') => self.becomes(At::ArrayAfterComma),
            (At::String | At::ArrayAfterValue, _) | (At::Number, b'0'..=b'9') => {
                self.end = place + 1;
            }
            (At::StringEscape, b'u') => {
                self.digits = 0;
                self.becomes(At::UnicodeEscape);
            }
            (At::StringEscape, _) => self.closes(place),
            (At::UnicodeEscape, _) if byte.is_ascii_hexdigit() => {
                self.digits += 1;
                if self.digits == 4 {
                    self.closes(place);
                }
            }
            (At::ArrayStart, _) => {
                self.end = place + 1;
                self.value(place, byte, At::ArrayAfterValue);
            }
            (At::ArrayAfterComma, _) => self.value(place, byte, At::ArrayAfterValue),
            (At::Number, b'e' | b'E' | b'-' | b'.') => {}
            (At::Number, _) => {
                self.stack.pop();
                self.after_value(place, byte);
            }
            (At::Literal, _) => {
                let begun = text.get(self.literal..=place);
                let goes_on = |all: &&str| begun.is_some_and(|begun| all.starts_with(begun));
                if LITERALS.iter().any(goes_on) {
                    self.end = place + 1;
                } else {
                    self.stack.pop();
                    self.after_value(place, byte);
                }
            }
            _ => {}
        }
    }

    fn becomes(&mut self, at: At) {
        self.stack.pop();
        self.stack.push(at);
    }

    fn closes(&mut self, place: usize) {
        self.end = place + 1;
        self.stack.pop();
    }

    fn value(&mut self, place: usize, byte: u8, after: At) {
        let at = match byte {
            b'"' => At::String,
            b'f' | b't' | b'n' => At::Literal,
            b'-' | b'0'..=b'9' => At::Number,
            b'{' => At::ObjectStart,
            b'[' => At::ArrayStart,
            _ => return,
        };
        if byte != b'-' {
            self.end = place + 1;
        }
        if at == At::Literal {
            self.literal = place;
        }
        self.becomes(after);
        self.stack.push(at);
    }

    fn after_value(&mut self, place: usize, byte: u8) {
        match self.stack.last() {
            Some(At::ObjectAfterValue) => self.after_member(place, byte),
            Some(At::ArrayAfterValue) if byte == b',' => self.becomes(At::ArrayAfterComma),
            Some(At::ArrayAfterValue) if byte == b']' => self.closes(place),
            _ => {}
        }
    }

    fn after_member(&mut self, place: usize, byte: u8) {
        match byte {
            b',' => self.becomes(At::ObjectAfterComma),
            b'}' => self.closes(place),
            _ => {}
        }
    }
}
