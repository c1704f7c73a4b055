//! Activities of the provider, described for people, beside the raw parts.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use toolwright_core::{
    message::{Citation, ProviderActivity, Source, ToolActivity},
    model::ModelEvent,
};
use toolwright_json::char_boundary;

use super::tool_use::ProviderToolUse;

/// The limit, in bytes, of a text of an activity.
const TEXT: usize = 16 * 1024;
/// The limit on the sources of one activity.
pub(crate) const SOURCES: usize = 100;
/// The limit on the citations that one part or fact tells.
pub(crate) const CITATIONS: usize = 1_000;

/// The text of a response so far, in bytes.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct TextSoFar<'t> {
    /// The beginning of the last part of it.
    pub(crate) part: usize,
    pub(crate) end: usize,
    /// The text itself, for a protocol that [keeps](super::response_reader::ResponseReader::KEEPS_TEXT) it.
    pub(crate) words: &'t str,
}

/// The activities that the data of an opaque part tells of, in one protocol.
type OfPart = fn(&Value, TextSoFar<'_>) -> Vec<ProviderActivity>;
/// The activities that a fact about the response tells of, by its name and its value.
type OfFact = fn(&str, &Value, TextSoFar<'_>) -> Vec<ProviderActivity>;

/// Adds activities to the events of one response.
#[derive(Debug, Default)]
pub(crate) struct Activities {
    part: usize,
    end: usize,
    /// The text, if it is kept.
    words: String,
    /// The names and inputs of tools that have begun, by their ids.
    inputs: HashMap<String, Begun>,
    /// The name and input of the tool that began last and has no id.
    last_input: Option<Begun>,
    /// The kinds of the reported tools.
    told: HashSet<String>,
}

/// What was reported of a tool when it began, and is not reported with its result.
#[derive(Debug, Default)]
struct Begun {
    name: String,
    input: String,
}

impl Activities {
    /// Adds them to the events from a place on.
    pub(crate) fn take(
        &mut self,
        events: &mut Vec<ModelEvent>,
        from: usize,
        (of_part, of_fact, keeps_text): (OfPart, OfFact, bool),
    ) {
        if keeps_text {
            let texts = events[from..].iter().filter_map(|event| match event {
                ModelEvent::Text(text) => Some(text.as_str()),
                _ => None,
            });
            self.words.extend(texts);
        }
        let may_tell = |event: &ModelEvent| {
            matches!(event, ModelEvent::Opaque(_) | ModelEvent::Metadata { .. })
        };
        if !events[from..].iter().any(may_tell) {
            return events[from..].iter().for_each(|event| self.count(event));
        }
        for event in events.split_off(from) {
            let found = match &event {
                ModelEvent::Opaque(opaque) => of_part(&opaque.data, self.text()),
                ModelEvent::Metadata { name, value } => {
                    let mut found = of_fact(name, value, self.text());
                    // A search that was reported as a part is reported again with the sources of
                    // the text.
                    found.retain(|found| match found {
                        ProviderActivity::Tool(tool) => !self.told.contains(&tool.kind),
                        _ => true,
                    });
                    found
                }
                _ => Vec::new(),
            };
            self.count(&event);
            events.push(event);
            let found = found
                .into_iter()
                .filter_map(|activity| self.whole(activity));
            events.extend(found.map(|activity| ModelEvent::Activity(Box::new(activity))));
        }
    }

    fn text(&self) -> TextSoFar<'_> {
        TextSoFar {
            part: self.part,
            end: self.end,
            words: &self.words,
        }
    }

    fn count(&mut self, event: &ModelEvent) {
        match event {
            ModelEvent::Text(text) => self.end += text.len(),
            event if event.is_beside_the_answer() => {}
            _ => self.part = self.end,
        }
    }

    /// An activity whose input was reported before its result. One without an id is reported with its result.
    fn whole(&mut self, activity: ProviderActivity) -> Option<ProviderActivity> {
        let ProviderActivity::Tool(mut tool) = activity else {
            return Some(activity);
        };
        self.told.insert(tool.kind.clone());
        if tool.is_over {
            if tool.input.is_empty() {
                let begun = match &*tool.id {
                    "" => self.last_input.take(),
                    id => self.inputs.remove(id),
                };
                let begun = begun.unwrap_or_default();
                tool.input = begun.input;
                if tool.name.is_empty() {
                    tool.name = begun.name;
                }
            }
        } else {
            let begun = Begun {
                name: tool.name.clone(),
                input: tool.input.clone(),
            };
            if tool.id.is_empty() {
                self.last_input = Some(begun);
                return None;
            }
            self.inputs.insert(tool.id.clone(), begun);
        }
        Some(ProviderActivity::Tool(tool))
    }
}

impl ProviderToolUse<'_> {
    /// The activity of a tool, which is over if its result is known.
    pub(crate) fn activity(&self, is_over: bool) -> ProviderActivity {
        let mut tool = ToolActivity::new(short(self.kind));
        tool.id = short(self.id);
        tool.name = short(self.name);
        tool.input = self
            .input
            .map_or_else(String::new, |input| short(&self.asked(input)));
        tool.failed = self.failed;
        if let Some(output) = self.output {
            tool.output = short(&if has_texts(self.kind) {
                texts(output)
            } else {
                printed(output)
            });
            tool.sources = sources(output);
            tool.error = short(&error_in(output));
            tool.failed |= !tool.error.is_empty();
        }
        tool.is_over = is_over;
        ProviderActivity::Tool(tool)
    }
}

impl ProviderToolUse<'_> {
    /// What a tool was asked for, in words: queries, code, commands, a pattern, an address, or else arguments as JSON.
    fn asked(&self, input: &Value) -> String {
        let lines = |list: &Value| {
            let all = list
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str);
            all.collect::<Vec<_>>().join("\n")
        };
        let lists = [
            &input["queries"],
            &input["commands"],
            &input["urls"],
            &input["command"],
            input,
        ];
        let several = lists.into_iter().map(lines).find(|lines| !lines.is_empty());
        let one = || {
            let fields = ["pattern", "url", "command"];
            let field = || fields.into_iter().find_map(|name| input[name].as_str());
            let text = self.query().or_else(|| self.code()).or_else(field);
            text.map(str::to_owned)
        };
        let arguments = || {
            has_texts(self.kind).then(|| match input {
                Value::String(json) => json.clone(),
                Value::Object(fields) if fields.is_empty() => String::new(),
                input => input.to_string(),
            })
        };
        let text = if has_texts(self.kind) {
            arguments()
        } else {
            several.or_else(one)
        };
        text.unwrap_or_default()
    }
}

/// Returns true for a kind of tool whose arguments and output may be anything, and not of the provider.
fn has_texts(kind: &str) -> bool {
    matches!(kind, "mcp" | "x_search" | "advisor" | "mcp_list_tools")
}

/// The texts of an output: one, those of a list of parts, or the names of tools.
fn texts(output: &Value) -> String {
    let of = |value: &Value| {
        let text = [value, &value["text"], &value["name"]]
            .into_iter()
            .find_map(Value::as_str);
        text.map(str::to_owned)
    };
    match output {
        Value::Array(list) => list.iter().filter_map(of).collect::<Vec<_>>().join("\n"),
        one => of(one).unwrap_or_default(),
    }
}

/// The error that an output tells of: the provider's word, or the code of a program other than 0.
fn error_in(output: &Value) -> String {
    let of = |value: &Value| {
        let word = value["error_code"].as_str().map(str::to_owned);
        let codes = [
            &value["return_code"],
            &value["exit_code"],
            &value["outcome"]["exit_code"],
        ];
        let code = codes
            .into_iter()
            .find_map(Value::as_i64)
            .filter(|code| *code != 0);
        let timeout = || (value["outcome"]["type"] == "timeout").then(|| "timeout".to_owned());
        word.or_else(|| code.map(|code| code.to_string()))
            .or_else(timeout)
    };
    match output {
        Value::Array(list) => list.iter().find_map(of),
        one => of(one),
    }
    .unwrap_or_default()
}

/// The text that code has printed.
fn printed(output: &Value) -> String {
    let fields = ["stdout", "stderr", "logs"].iter();
    let of = |value: &Value| {
        let texts = fields.clone().filter_map(|name| value[*name].as_str());
        texts.collect::<String>()
    };
    match output {
        Value::Array(list) => list.iter().map(of).collect(),
        // Gemini has one field for it.
        output => of(output) + output["output"].as_str().unwrap_or_default(),
    }
}

fn sources(output: &Value) -> Vec<Source> {
    let list = match output {
        Value::Array(list) => &list[..],
        one => std::slice::from_ref(one),
    };
    let all = list.iter().map(source_of);
    all.filter(is_known).take(SOURCES).collect()
}

/// Returns true if a source has an address or a name.
pub(crate) fn is_known(source: &Source) -> bool {
    !source.url.is_empty() || !source.title.is_empty()
}

/// The source that an object describes, in the words of any provider.
pub(crate) fn source_of(value: &Value) -> Source {
    let first = |names: &[&str]| {
        let mut texts = names.iter().filter_map(|name| value[*name].as_str());
        short(texts.next().unwrap_or_default())
    };
    let title = first(&["title", "filename", "document_title", "file_id"]);
    // Anthropic calls the address of a search result of the application its source.
    Source::new(first(&[
        "url",
        "uri",
        "source",
        "retrieved_url",
        "retrievedUrl",
    ]))
    .with_title(title)
}

/// The citation of a source; `None` if nothing is known of it.
pub(crate) fn citation(
    source: Source,
    range: Option<std::ops::Range<usize>>,
    quote: &str,
) -> Option<ProviderActivity> {
    let mut citation = Citation::new(Some(source).filter(is_known)?);
    citation.range = range.filter(|range| range.start < range.end);
    citation.quote = short(quote);
    Some(ProviderActivity::Citation(citation))
}

pub(crate) fn short(text: &str) -> String {
    text[..char_boundary::floor(text, TEXT)].to_owned()
}
