//! Sources and searches in recorded replies, as an application is shown them.

use std::path::Path;

use libtest_mimic::Trial;
use toolwright::{
    message::{Citation, Part, ProviderActivity},
    provider::{AnthropicCodec, GeminiCodec, OpenAiChatCodec},
};

use crate::{
    outcome::{Outcome, decode_stream},
    record::Record,
};

/// A recording with citations: how many there are, those with a place, the tools that are over, and one address.
struct Cited {
    folder: &'static str,
    id: &'static str,
    decode: fn(&[&[u8]]) -> Outcome,
    citations: usize,
    placed: usize,
    tools: &'static [&'static str],
    url: &'static str,
}

const ALL: &[Cited] = &[
    Cited {
        folder: "anthropic",
        id: "anthropic-pai-pause-turn-web-search-streaming-vcr.2",
        decode: decode_stream::<AnthropicCodec>,
        citations: 19,
        placed: 19,
        tools: &["web_search"; 5],
        url: "https://www.wunderground.com/weather/us/ca/san-francisco",
    },
    Cited {
        folder: "gemini",
        id: "google-vertex-pai-tool-combination-omits-include-server-side-tool-invocations.2",
        decode: decode_stream::<GeminiCodec>,
        citations: 16,
        placed: 15,
        tools: &["web_search"],
        url: "https://www.google.com/search?q=weather+in+San Francisco, CA,+US",
    },
    Cited {
        folder: "openai-chat",
        id: "openrouter-rubyllm-web-search-with-openrouter-openai-gpt-5-2-searches-trans-74e02a",
        decode: decode_stream::<OpenAiChatCodec>,
        citations: 1,
        placed: 1,
        tools: &[],
        url: "https://www.ruby-lang.org/en/downloads/",
    },
];

pub(crate) fn trials(recordings: &Path) -> Vec<Trial> {
    let trials = ALL.iter().map(|cited| {
        let folder = recordings.join(cited.folder);
        let absent = !folder.exists();
        let trial = Trial::test(format!("cited::{}", cited.id), move || {
            check(cited, &Record::read_all(&folder));
            Ok(())
        });
        trial.with_ignored_flag(absent)
    });
    trials.collect()
}

fn check(cited: &Cited, records: &[Record]) {
    let record = records.iter().find(|record| record.id.ends_with(cited.id));
    let record = record.expect("it is recorded");
    let reply = (cited.decode)(&[record.response.body.as_bytes()]).reply;
    let citations: Vec<_> = Citation::all(&reply.parts).collect();
    let placed = citations
        .iter()
        .filter_map(|citation| citation.range.clone());
    let placed = placed.map(|range| reply.text.get(range).expect("is in the text"));
    assert!(
        citations
            .iter()
            .any(|citation| citation.source.url == cited.url)
    );
    let tools = reply.parts.iter().filter_map(|part| match part {
        Part::Activity(activity) => match &**activity {
            ProviderActivity::Tool(tool) if tool.is_over => Some(&*tool.kind),
            _ => None,
        },
        _ => None,
    });
    assert_eq!(
        (citations.len(), placed.count(), tools.collect::<Vec<_>>()),
        (cited.citations, cited.placed, cited.tools.to_vec())
    );
}
