//! What a check of text gets, and what is withheld from it.

use toolwright_core::{
    driver::is_unseen,
    model::{ModelResponse, Warning},
};

/// The name of the warning about what is withheld.
const WITHHELD: &str = "withheld";

/// Takes out what no check of text can see, with a warning that says so. Returns true if nothing readable is left.
pub(super) fn withhold(response: &mut ModelResponse) -> bool {
    let before = response.parts.len();
    if response.parts.iter().any(is_unseen) {
        response.parts.to_mut().retain(|part| !is_unseen(part));
    }
    let withheld = before - response.parts.len();
    if withheld == 0 {
        return false;
    }
    let message = format!(
        "{withheld} of the response's images, documents and sounds are withheld: a check of text cannot see them"
    );
    response.warnings.push(Warning::new(WITHHELD, message));
    response.text.trim_ascii().is_empty()
        && response.refusal.is_none()
        && response.tool_calls.is_empty()
}

/// A text with its escapes read, as those of a string of JSON or of Python; `None` if it has none. Tools and
/// applications read arguments and typed answers with their escapes decoded.
pub(super) fn unescaped(text: &str) -> Option<String> {
    if !text.contains('\\') {
        return None;
    }
    let mut units: Vec<u16> = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        units.extend(before.encode_utf16());
        let mut chars = after.chars();
        let Some(escaped) = chars.next() else {
            rest = "";
            break;
        };
        rest = chars.as_str();
        let digits = match escaped {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        let code = rest.get(..digits).map(|code| u32::from_str_radix(code, 16));
        let char = match (escaped, code) {
            // A line that goes on, as in Python.
            ('\n', _) => continue,
            ('n', _) => '\n',
            ('r', _) => '\r',
            ('t', _) => '\t',
            ('b' | 'f', _) => ' ',
            ('x' | 'u' | 'U', Some(Ok(code))) => {
                rest = &rest[digits..];
                if let Ok(unit) = u16::try_from(code) {
                    // It may be half of a character, whose other half follows.
                    units.push(unit);
                    continue;
                }
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            (other, _) => other,
        };
        units.extend_from_slice(char.encode_utf16(&mut [0; 2]));
    }
    units.extend(rest.encode_utf16());
    Some(String::from_utf16_lossy(&units))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read_as_json_and_python_do() {
        for (text, read) in [
            (r"a\\u0071", Some(r"a\u0071".into())),
            (r"\u0071z", Some("qz".into())),
            (r"\ud83d\ude00\n", Some("\u{1f600}\n".into())),
            (r"\ud83d!", Some("\u{fffd}!".into())),
            (
                r"\x71\U0001f600\U99999999",
                Some("q\u{1f600}\u{fffd}".into()),
            ),
            (r#"\"é\/\q\"#, Some("\"é/q".into())),
            (r"\u00é", Some("u00é".into())),
            ("no escape", None),
        ] {
            assert_eq!(unescaped(text), read, "{text}");
        }
    }

    #[test]
    fn each_reading_is_shorter_so_that_they_come_to_an_end() {
        let mut text = r"\\u005cu0071".repeat(100) + &r"\".repeat(1_001);
        for _ in 0..20 {
            let Some(next) = unescaped(&text) else {
                assert_eq!(text, "q".repeat(100));
                return;
            };
            assert!(next.len() < text.len());
            text = next;
        }
        panic!("it goes on: {text}");
    }
}
