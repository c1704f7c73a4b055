//! Redacts inside of JSON, which stays JSON.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::tool::OutputPart;

/// Redacts the texts, keys and numbers of a JSON text. A number that is not as it was becomes a text;
/// all else stays as it is, byte for byte. What is no JSON after all is redacted as the text it is.
pub(super) fn redact<'r>(
    json: String,
    redact: impl for<'a> Fn(&'a str) -> Cow<'a, str> + 'r,
) -> OutputPart {
    match inside(&json, &redact) {
        Some(Cow::Borrowed(_)) => OutputPart::Json(json),
        Some(Cow::Owned(redacted)) => OutputPart::Json(redacted),
        None => match redact(&json) {
            Cow::Borrowed(same) if same == json => OutputPart::Json(json),
            other => OutputPart::Text(other.into_owned()),
        },
    }
}

/// `None` where it is no JSON, or a text in it is none that can be read: half of a surrogate pair, for
/// example.
fn inside<'j>(
    json: &'j str,
    redact: &impl for<'a> Fn(&'a str) -> Cow<'a, str>,
) -> Option<Cow<'j, str>> {
    serde_json::from_str::<&RawValue>(json).ok()?;
    // What has been written anew, up to `written` of the original.
    let mut new: Option<String> = None;
    let (mut written, mut at) = (0, 0);
    while let Some(found) = json[at..].find(|c: char| c == '"' || c == '-' || c.is_ascii_digit()) {
        let start = at + found;
        let is_text = json.as_bytes()[start] == b'"';
        let length = if is_text {
            text_bytes(&json[start..])?
        } else {
            number_bytes(&json[start..])
        };
        let end = start + length;
        let token = &json[start..end];
        let value: Cow<'_, str> = if is_text {
            unescaped(token)?
        } else {
            Cow::Borrowed(token)
        };
        let redacted = redact(&value);
        if redacted != value {
            let new = new.get_or_insert_with(|| String::with_capacity(json.len()));
            new.push_str(&json[written..start]);
            new.push_str(&serde_json::to_string(&redacted).ok()?);
            written = end;
        }
        at = end;
    }
    Some(match new {
        None => Cow::Borrowed(json),
        Some(mut new) => {
            new.push_str(&json[written..]);
            Cow::Owned(new)
        }
    })
}

/// The text of a token in quotes.
fn unescaped(token: &str) -> Option<Cow<'_, str>> {
    let quoted = &token[1..token.len() - 1];
    if quoted.contains('\\') {
        serde_json::from_str(token).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(quoted))
    }
}

/// How many bytes a text has, with both quotes.
fn text_bytes(json: &str) -> Option<usize> {
    let bytes = json.as_bytes();
    let mut at = 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        match bytes[at] {
            b'"' => return Some(at + 1),
            _ => at += 2,
        }
    }
}

fn number_bytes(json: &str) -> usize {
    let is_in_number = |byte: &u8| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9');
    json.bytes().take_while(|byte| is_in_number(byte)).count()
}
