//! The table, row by row: each source, form, place and tool, in each of the formats.

use serde_json::json;
use toolwright_core::{ToolDefinition, ToolDefinitions, tool::ToolHints};

use super::written::{ALL, Written};
use crate::{
    TextSource, ToolText,
    formats::{FORMATS, Strength},
    rules::{Form, Is, Mark, Named, Surroundings, reading},
};

const SOURCES: [TextSource; 4] = [
    TextSource::Other,
    TextSource::Native,
    TextSource::Answer,
    TextSource::Decision,
];

/// A call as it is written, and what is known of it.
struct Sample {
    name: &'static str,
    text: String,
    mark: Mark,
    form: Form,
    named: Named,
}

impl Sample {
    /// Returns true for a code block.
    fn is_block(&self) -> bool {
        self.text.starts_with("```")
    }

    /// Returns true for a marker that is one at the start of a line alone.
    fn needs_line_start(&self) -> bool {
        ["Action:", ">>>"]
            .iter()
            .any(|marker| self.text.starts_with(marker))
    }
}

fn parser(source: TextSource) -> ToolText {
    let tool = |name: &'static str, is_reader: bool| {
        let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}});
        let schema = serde_json::from_value(schema).expect("is a schema");
        let hints = ToolHints::NONE.with_read_only(is_reader);
        ToolDefinition {
            hints,
            ..ToolDefinition::new(name, "", schema)
        }
    };
    let tools: ToolDefinitions = [tool("look", true), tool("write", false)]
        .into_iter()
        .collect();
    ToolText::new(&tools).with_source(source)
}

fn mark_of(name: &str, text: &str) -> Mark {
    if matches!(name, "json") || text.starts_with('[') && !text.starts_with("[TOOL") {
        return Mark::None;
    }
    if name == "tool_code" {
        return Mark::Tag;
    }
    match FORMATS.iter().find(|format| format.name == name) {
        Some(format) if format.strength < Strength::Token => Mark::Tag,
        _ => Mark::Token,
    }
}

/// A call of each tool in each format, and in forms that no format has.
fn samples() -> Vec<Sample> {
    let mut all = Vec::new();
    for (tool, named) in [
        ("look", Named::Reader),
        ("write", Named::Writer),
        ("nobody", Named::Unknown),
    ] {
        let arguments = json!({"city": "Oslo"});
        let arguments = arguments.as_object().expect("is one");
        let calls: [Written; 1] = [(tool.to_owned(), arguments.clone())];
        // A key that is no name of a tool says nothing.
        let is_named = |name| named != Named::Unknown || name != "apertus";
        for writer in ALL.iter().filter(|writer| is_named(writer.name)) {
            let text = writer.write(&calls).expect("is simple").trim().to_owned();
            // Other data has such keys too.
            if named == Named::Unknown && text.contains("action_input") {
                continue;
            }
            all.push(Sample {
                name: writer.name,
                mark: mark_of(writer.name, &text),
                form: Form::Data,
                text,
                named,
            });
        }
        if named != Named::Unknown {
            for (form, text) in [
                (Form::Code, format!("{tool}(city=\"Oslo\")")),
                (Form::Loose, json!({tool: arguments}).to_string()),
                (
                    Form::Loose,
                    json!({"name": tool, "arguments": arguments, "expected": 1}).to_string(),
                ),
            ] {
                all.push(Sample {
                    name: "none",
                    mark: Mark::None,
                    form,
                    text,
                    named,
                });
            }
        }
    }
    all
}

/// The texts in which a call stands in a place, as what is before it and behind it.
fn around(place: Surroundings, sample: &Sample) -> Vec<(&'static str, &'static str)> {
    let is_block = sample.is_block();
    let is_bare = sample.mark == Mark::None;
    match place {
        Surroundings::Whole => vec![("", ""), ("\n", "\n\n")],
        Surroundings::Lines if is_block => {
            vec![("Let me see.\n\n", "\n"), ("", "\nI will tell you.")]
        }
        Surroundings::Lines => vec![
            ("Let me see.\n\n", ""),
            ("", "\n\nI will tell you."),
            ("Let me see.\n", "\nI will tell you."),
        ],
        Surroundings::Beside if is_block || is_bare || sample.needs_line_start() => vec![],
        Surroundings::Beside => vec![
            ("Let me see. ", ""),
            ("", "Done!"),
            ("I look. ", " Then I tell."),
        ],
        Surroundings::Sentence if is_block || sample.needs_line_start() => vec![],
        Surroundings::Sentence => vec![
            ("Never write ", " to a server."),
            ("", " is how it is done."),
            ("It is ", "."),
            ("Two:\n- ", "\n- another"),
            ("1. ", ""),
            ("Log: ", "\nLog: done"),
        ],
        Surroundings::Quoted => vec![("> ", ""), ("He wrote:\n> ", "\n\nSo.")],
        Surroundings::Indented => vec![("Like this:\n\n    ", "\n\nSo."), ("\t", "")],
        Surroundings::Block if is_block => vec![("Like this:\n\n", "\n\nSo.")],
        // A code block ends where another one begins.
        Surroundings::Block if sample.text.contains("```") => vec![],
        Surroundings::Block => vec![
            ("Like this:\n\n```\n", "\n```\n\nSo."),
            ("Like this:\n\n~~~json\n", "\n~~~\nSo."),
            ("```\n", "\nand more\n```\n"),
        ],
    }
}

const PLACES: [Surroundings; 7] = [
    Surroundings::Whole,
    Surroundings::Lines,
    Surroundings::Beside,
    Surroundings::Sentence,
    Surroundings::Quoted,
    Surroundings::Indented,
    Surroundings::Block,
];

/// Returns what is wrong, if the text is not read as the table says.
fn check(
    source: TextSource,
    place: Surroundings,
    sample: &Sample,
    text: &str,
    rest: &str,
) -> Option<String> {
    let Sample {
        name,
        mark,
        form,
        named,
        ..
    } = sample;
    let expected = reading(source, *mark, *form, place, *named);
    let read = parser(source).parse(text);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_kept = read.text == text.trim();
    // Nobody reads the text of a decision.
    let has_rest = source == TextSource::Decision || words(&read.text) == words(rest);
    let is_right = match expected {
        Is::Call => read.calls.len() == 1 && has_rest,
        Is::Refused => {
            let refused = read.refused.first();
            let told = refused.is_some_and(|refused| !refused.is_text && refused.name.is_some());
            read.calls.is_empty() && told && has_rest
        }
        Is::Doubt => read.calls.is_empty() && is_kept && read.refused.iter().all(|one| one.is_text),
        Is::Text => read.calls.is_empty() && is_kept && read.refused.is_empty(),
    };
    (!is_right).then(|| {
        format!("{source:?} {name} {mark:?} {form:?} {place:?} {named:?} is {expected:?}: {text:?}\n  {read:?}")
    })
}

#[test]
fn the_table_is_what_the_parser_does() {
    let mut wrong = Vec::new();
    let mut rows = 0;
    for sample in samples() {
        for source in SOURCES {
            // No request for a decision leads to a marker in a code block.
            let is_asked = |place: &Surroundings| {
                let is_other = *place != Surroundings::Block || sample.mark == Mark::None;
                source != TextSource::Decision || is_other
            };
            for place in PLACES.into_iter().filter(is_asked) {
                for (before, behind) in around(place, &sample) {
                    let text = format!("{before}{}{behind}", sample.text);
                    let rest = format!("{before} {behind}");
                    rows += 1;
                    wrong.extend(check(source, place, &sample, &text, &rest));
                }
            }
        }
    }
    let count = wrong.len();
    assert_eq!(count, 0, "of {rows}:\n{}", wrong.join("\n"));
}

#[test]
fn a_native_model_is_given_back_as_it_is() {
    for sample in samples() {
        let text = format!(
            "A {0}\n{0}\n```\n{0}\n```\n<|im_end|> [TOOL_CALLS]\n{0}",
            sample.text
        );
        let read = parser(TextSource::Native).parse(&text);
        assert_eq!((read.text.as_str(), read.calls.len()), (text.as_str(), 0));
        assert_eq!(read.refused, []);
    }
}
