//! The formats in which models write calls as text, a row each.
//!
//! To add one: a row with its markers, the form of its calls, and where that is published; and its place in the table.

mod headers;
mod table;
mod tags;
mod tokens;
mod words;

use crate::item::Item;

pub(crate) use table::FORMATS;
pub(crate) use words::FUNCTIONARY;

/// A format.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Format {
    pub(crate) name: &'static str,
    /// Where the format is published: a model card, a chat template, or a server that reads it.
    #[allow(dead_code, reason = "it is for readers of the table, and a test")]
    pub(crate) source: &'static str,
    /// Markers before the calls.
    pub(crate) open: &'static [&'static str],
    /// Beginnings of calls that stand without a marker.
    pub(crate) starts: &'static [&'static str],
    /// Markers after the calls.
    pub(crate) close: &'static [&'static str],
    /// Markers between calls, which are passed over.
    pub(crate) between: &'static [&'static str],
    /// Text that stands before each call.
    pub(crate) lead: &'static str,
    pub(crate) item: Item,
    pub(crate) strength: Strength,
}

impl Format {
    /// Returns true for calls without any marker.
    pub(crate) fn is_bare(&self) -> bool {
        self.strength == Strength::Weak && self.close.is_empty()
    }
}

/// How sure it is that a call follows a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// It may stand in any text: only a call after it shows what it is.
    Weak,
    /// It may be mentioned in a sentence.
    Tag,
    /// A token of the model, or a marker that a prompt asked for.
    Token,
}

const TOKEN: Format = Format {
    name: "",
    source: "",
    open: &[],
    starts: &[],
    close: &[],
    between: &[],
    lead: "",
    item: Item::Json,
    strength: Strength::Token,
};
const TAG: Format = Format {
    strength: Strength::Tag,
    ..TOKEN
};
const WEAK: Format = Format {
    strength: Strength::Weak,
    ..TOKEN
};

/// JSON without a marker.
pub(crate) const JSON: Format = Format {
    name: "json",
    source: "prompts that ask for JSON; vllm-project/vllm, examples/tool_chat_template_llama3.1_json.jinja",
    ..WEAK
};

/// A list of calls as in Python, without a marker.
pub(crate) const PYTHONIC: Format = Format {
    name: "pythonic",
    source: "vllm-project/vllm, examples/tool_chat_template_llama4_pythonic.jinja and \
             tool_chat_template_gemma3_pythonic.jinja",
    item: Item::Python,
    ..WEAK
};

/// JSON in a code block.
pub(crate) const FENCED: Format = Format {
    name: "json",
    source: "Markdown; vllm-project/vllm, vllm/entrypoints/openai/tool_parsers/xlam_tool_parser.py",
    close: &["```"],
    between: &[
        "<response>",
        "</response>",
        "<json>",
        "</json>",
        "<xml>",
        "</xml>",
        "<tool>",
        "</tool>",
        "<tools>",
        "</tools>",
        ">",
    ],
    ..WEAK
};

/// A list of calls as in Python, in a code block.
pub(crate) const FENCED_PYTHONIC: Format = Format {
    name: "pythonic",
    source: "Markdown; model card of meta-llama/Llama-3.2-3B-Instruct",
    item: Item::Python,
    ..FENCED
};

/// The names of code blocks that may hold such calls.
pub(crate) const FENCED_LANGUAGES: [&str; 14] = [
    "",
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "javascript",
    "js",
    "xml",
    "text",
    "txt",
    "tool_call",
    "tool_calls",
    "tool_use",
    "function_call",
];

/// A code block of calls.
pub(crate) const TOOL_CODE: Format = Format {
    name: "tool_code",
    source: "philschmid.de/gemma-function-calling, a prompt for Gemma 3; ai.google.dev/gemma/docs/meme-generator",
    close: &["```"],
    item: Item::Python,
    ..TOKEN
};

/// The header of a message of Harmony that has a recipient.
pub(crate) const HARMONY: Format = Format {
    name: "harmony",
    source: "openai/harmony, docs/format.md, of openai/gpt-oss-20b",
    close: &["<|call|>", "<|end|>", "<|return|>"],
    item: Item::Named(headers::harmony),
    ..TOKEN
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{FENCED, FENCED_PYTHONIC, FORMATS, HARMONY, JSON, PYTHONIC, TOOL_CODE};

    #[test]
    fn every_row_has_a_name_a_source_and_a_way_in() {
        let others = [FENCED, FENCED_PYTHONIC, HARMONY, JSON, PYTHONIC, TOOL_CODE];
        for format in FORMATS.iter().chain(&others) {
            assert!(
                !format.name.is_empty() && format.source.len() > 10,
                "{format:?}"
            );
        }
        for format in FORMATS {
            let markers = || format.open.iter().chain(format.starts);
            assert!(markers().count() > 0, "{}", format.name);
            assert!(markers().all(|marker| marker.len() > 2), "{}", format.name);
        }
        let sources: BTreeSet<_> = FORMATS.iter().map(|format| format.source).collect();
        assert_eq!(sources.len(), FORMATS.len());
    }
}
