//! Prints what a server was sent, and what came of the run.

use serde::Deserialize;
use serde_json::{Map, Value, value::RawValue};
use toolwright::run::RunOutcome;

/// What came of a run.
pub(crate) struct Report {
    pub(crate) outcome: RunOutcome,
    /// In how many pieces the replies came.
    pub(crate) pieces: usize,
}

impl Report {
    /// Prints it, with what the server was sent if that is known.
    pub(crate) fn show(&self, requests: &Requests) {
        requests.show_question();
        for round in self.outcome.tool_rounds() {
            for (call, result) in round.answered_calls() {
                let (name, arguments) = (&call.name, &call.arguments);
                println!(
                    "  call     {name}({arguments}) -> {}",
                    result.to_model_text()
                );
            }
        }
        requests.show_rounds();
        self.show_end();
    }

    fn show_end(&self) {
        let outcome = &self.outcome;
        println!("  answer   {outcome}");
        let usage = &outcome.usage;
        let part = |tokens: Option<u64>, what| tokens.map(|tokens| format!(" ({tokens} {what})"));
        println!(
            "  usage    {} tokens in{}, {} out{}, in {} pieces",
            usage.input_tokens,
            part(usage.cached_input_tokens, "cached").unwrap_or_default(),
            usage.output_tokens,
            part(usage.reasoning_tokens, "reasoning").unwrap_or_default(),
            self.pieces,
        );
        for warning in &outcome.warnings {
            println!("  warning  {}", warning.code);
        }
    }
}

/// A request as a server got it.
#[derive(Clone)]
pub(crate) struct Request {
    /// The method and the address.
    line: String,
    /// The header that the key came in.
    key_header: Option<String>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn new(line: &str) -> Self {
        Self {
            line: line.replace(" HTTP/1.1", "").trim().to_owned(),
            key_header: None,
            body: Vec::new(),
        }
    }

    pub(crate) fn see_header(&mut self, name: &str) {
        let name = name.to_ascii_lowercase();
        if name == "authorization" || name.ends_with("api-key") {
            self.key_header = Some(name);
        }
    }

    /// The lists in the body, each piece as it was written.
    fn lists(&self) -> Lists<'_> {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// What every provider's request holds, under one name or another.
#[derive(Default, Deserialize)]
struct Lists<'a> {
    #[serde(borrow, alias = "input", alias = "contents")]
    messages: Vec<&'a RawValue>,
    #[serde(borrow)]
    tools: Vec<&'a RawValue>,
}

/// The requests of one run: the question, and what goes on from there.
#[derive(Default)]
pub(crate) struct Requests(pub(crate) Vec<Request>);

impl Requests {
    /// How the question is asked.
    fn show_question(&self) {
        let Some(first) = self.0.first() else {
            return;
        };
        let key = first.key_header.as_deref();
        let key = key.map_or_else(|| "none".to_owned(), |name| format!("in {name}"));
        println!("  asked    {}", first.line);
        println!("  key      {key}");
        let body: Map<String, Value> = serde_json::from_slice(&first.body).unwrap_or_default();
        let fields: Vec<&str> = body.keys().map(String::as_str).collect();
        println!("  fields   {}", fields.join(", "));
        if let Some(tool) = first.lists().tools.first() {
            println!("  tool     {}", short(tool.get()));
        }
        for name in ["tool_choice", "toolConfig"] {
            if let Some(choice) = body.get(name) {
                println!("  choice   {name}: {choice}");
            }
        }
    }

    /// What goes back with each request: the response, and the results.
    fn show_rounds(&self) {
        for pair in self.0.windows(2) {
            let seen = pair[0].lists().messages.len();
            for piece in pair[1].lists().messages.iter().skip(seen) {
                println!("  back     {}", short(piece.get()));
            }
        }
    }
}

/// The beginning of a text.
fn short(text: &str) -> String {
    const LONGEST: usize = 85;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
