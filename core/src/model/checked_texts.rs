//! All that a model says in a response, as the texts that a check gets, and what no check of text can see.

use crate::{
    message::{Citation, Opaque, Part, ProviderActivity, Source, ToolActivity},
    model::{ModelResponse, Usage, Warning},
    tool::ToolCall,
};

/// The kind of text that everybody reads, in a sentence.
pub const ANSWER: &str = "the answer";

/// A kind of text in a response: its name in a sentence, and the texts of that kind as one.
#[derive(Debug)]
pub struct CheckedText {
    /// The name of the kind, in a sentence.
    pub what: &'static str,
    /// The texts, a line for each.
    pub text: String,
}

/// Returns all that a model says in a response, its answer first. A new field or part does not compile before it has a
/// place here: nothing is left out by `..` or `_`.
pub fn checked_texts(response: &ModelResponse) -> Vec<CheckedText> {
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
        provider_input_tokens: _,
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
        ("an activity of the provider", activities),
        ("an opaque part", opaque),
        ("a fact about the response", facts),
    ];
    let all = all
        .into_iter()
        .map(|(what, text)| CheckedText { what, text });
    all.filter(|said| !said.text.trim_ascii().is_empty())
        .collect()
}

fn add_activity(activities: &mut String, activity: &ProviderActivity) {
    let mut sources = Vec::new();
    match activity {
        ProviderActivity::Tool(ToolActivity {
            kind,
            name,
            id,
            input,
            output,
            sources: found,
            is_over: _,
            failed: _,
            error,
        }) => {
            add(activities, [kind, name, id, input, output, error]);
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

/// Returns true for what no check of text can see.
pub fn is_unseen(part: &Part) -> bool {
    match part {
        Part::Image(_) | Part::Document(_) | Part::Audio(_) => true,
        Part::Text(_)
        | Part::Reasoning(_)
        | Part::Call(_)
        | Part::Opaque(_)
        | Part::Activity(_) => false,
    }
}
