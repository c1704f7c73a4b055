//! All that a model says in a response, as the texts that a check gets, and what no check of text can see.

use crate::{
    message::{Citation, Opaque, Part, ProviderActivity, Source, ToolActivity},
    model::{ModelResponse, Usage, Warning},
    tool::ToolCall,
};

/// The name of the warning about what is withheld.
const WITHHELD: &str = "withheld";

/// The kind of text that everybody reads, in a sentence.
pub(super) const ANSWER: &str = "the answer";

/// A kind of text in a response: its name in a sentence, and the texts of that kind as one.
pub(super) struct Said {
    pub(super) what: &'static str,
    pub(super) text: String,
}

/// Returns all that a model says in a response, its answer first. A new field or part is not said before it has its place
/// here: nothing is left out by `..` or `_`.
pub(super) fn said(response: &ModelResponse) -> Vec<Said> {
    let ModelResponse {
        text: answer,
        parts,
        // They repeat the parts.
        tool_calls: _,
        refusal,
        model,
        usage,
        requests: _,
        finish_reason: _,
        raw_finish_reason,
        warnings,
        metadata,
    } = response;
    let mut reasoning = String::new();
    let [mut calls, mut activities, mut opaque, mut facts] = [const { String::new() }; 4];
    for part in parts {
        match part {
            Part::Reasoning(text) => reasoning.push_str(text),
            Part::Call(ToolCall {
                id,
                name,
                arguments,
            }) => add(&mut calls, [id, name, arguments]),
            // The answer is all texts, with nothing between. The others are withheld.
            Part::Text(_) | Part::Image(_) | Part::Document(_) | Part::Audio(_) => {}
            Part::Opaque(Opaque { provider, data }) => {
                add(&mut opaque, [provider, &data.to_string()]);
            }
            Part::Activity(activity) => add_activity(&mut activities, activity),
        }
    }
    add(&mut facts, model.iter().chain(raw_finish_reason));
    for Warning { code, message } in warnings {
        add(&mut facts, [code, message]);
    }
    for (name, value) in metadata {
        add(&mut facts, [name, &value.to_string()]);
    }
    if let Some(Usage {
        input_tokens: _,
        output_tokens: _,
        cached_input_tokens: _,
        written_input_tokens: _,
        reasoning_tokens: _,
        raw,
    }) = usage
        && !raw.is_null()
    {
        add(&mut facts, [&raw.to_string()]);
    }
    let all = [
        (ANSWER, answer.clone()),
        ("the refusal", refusal.clone().unwrap_or_default()),
        ("the reasoning", reasoning),
        ("a call", calls),
        ("what the provider did", activities),
        ("a part for the provider alone", opaque),
        ("a fact about the response", facts),
    ];
    let all = all.into_iter().map(|(what, text)| Said { what, text });
    all.filter(|said| !said.text.trim_ascii().is_empty())
        .collect()
}

fn add_activity(activities: &mut String, activity: &ProviderActivity) {
    let mut sources = Vec::new();
    match activity {
        ProviderActivity::Tool(ToolActivity {
            kind,
            id,
            input,
            output,
            sources: found,
            is_over: _,
            failed: _,
        }) => {
            add(activities, [kind, id, input, output]);
            sources.extend(found);
        }
        ProviderActivity::Citation(Citation {
            source,
            range: _,
            quote,
        }) => {
            add(activities, [quote]);
            sources.push(source);
        }
    }
    for Source { url, title } in sources {
        add(activities, [url, title]);
    }
}

/// Adds texts to others, a line for each.
fn add<'t>(texts: &mut String, more: impl IntoIterator<Item = &'t String>) {
    for text in more.into_iter().filter(|text| !text.is_empty()) {
        if !texts.is_empty() {
            texts.push('\n');
        }
        texts.push_str(text);
    }
}

/// Takes out what no check of text can see, with a warning that says so. Returns true if it was all that there was for
/// somebody.
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

fn is_unseen(part: &Part) -> bool {
    match part {
        Part::Image(_) | Part::Document(_) | Part::Audio(_) => true,
        Part::Text(_)
        | Part::Reasoning(_)
        | Part::Call(_)
        | Part::Opaque(_)
        | Part::Activity(_) => false,
    }
}

/// A text with its escapes read, as those of a string of JSON or of Python; `None` if it has none. Arguments and typed
/// answers are read so by whoever gets them.
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
