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
const SOURCES: usize = 100;
/// The limit on the citations that one part or fact tells.
pub(crate) const CITATIONS: usize = 1_000;

/// The text of a response so far, in bytes.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct TextSoFar {
    /// The beginning of the last part of it.
    pub(crate) part: usize,
    pub(crate) end: usize,
}

/// The activities that the data of an opaque part tells of, in one protocol.
type OfPart = fn(&Value, TextSoFar) -> Vec<ProviderActivity>;
/// The activities that a fact about the response tells of, by its name and its value.
type OfFact = fn(&str, &Value, TextSoFar) -> Vec<ProviderActivity>;

/// Adds activities to the events of one response.
#[derive(Debug, Default)]
pub(crate) struct Activities {
    text: TextSoFar,
    /// The inputs of tools that have begun, by their ids.
    inputs: HashMap<String, String>,
    /// The input of the tool that began last and has no id.
    last_input: Option<String>,
    /// The kinds of the reported tools.
    told: HashSet<String>,
}

impl Activities {
    /// Adds them to the events from a place on.
    pub(crate) fn take(
        &mut self,
        events: &mut Vec<ModelEvent>,
        from: usize,
        (of_part, of_fact): (OfPart, OfFact),
    ) {
        let may_tell = |event: &ModelEvent| {
            matches!(event, ModelEvent::Opaque(_) | ModelEvent::Metadata { .. })
        };
        if !events[from..].iter().any(may_tell) {
            return events[from..].iter().for_each(|event| self.count(event));
        }
        for event in events.split_off(from) {
            let found = match &event {
                ModelEvent::Opaque(opaque) => of_part(&opaque.data, self.text),
                ModelEvent::Metadata { name, value } => {
                    let mut found = of_fact(name, value, self.text);
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

    fn count(&mut self, event: &ModelEvent) {
        match event {
            ModelEvent::Text(text) => self.text.end += text.len(),
            event if event.is_beside_the_answer() => {}
            _ => self.text.part = self.text.end,
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
                let input = match &*tool.id {
                    "" => self.last_input.take(),
                    id => self.inputs.remove(id),
                };
                tool.input = input.unwrap_or_default();
            }
        } else if tool.id.is_empty() {
            self.last_input = Some(tool.input);
            return None;
        } else {
            self.inputs.insert(tool.id.clone(), tool.input.clone());
        }
        Some(ProviderActivity::Tool(tool))
    }
}

impl ProviderToolUse<'_> {
    /// The activity of a tool, which is over if its result is known.
    pub(crate) fn activity(&self, is_over: bool) -> ProviderActivity {
        let mut tool = ToolActivity::new(short(self.kind));
        tool.id = short(self.id);
        let url = self.input.and_then(|input| input["url"].as_str());
        let input = self.query().or_else(|| self.code()).or(url);
        tool.input = short(input.unwrap_or_default());
        if let Some(output) = self.output {
            tool.output = short(&printed(output));
            tool.sources = sources(output);
        }
        (tool.is_over, tool.failed) = (is_over, self.failed);
        ProviderActivity::Tool(tool)
    }
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
    let title = first(&["title", "filename", "document_title"]);
    Source::new(first(&["url", "uri"])).with_title(title)
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

fn short(text: &str) -> String {
    text[..char_boundary::floor(text, TEXT)].to_owned()
}
