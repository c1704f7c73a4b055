//! What the runs of a test do.

use std::{
    collections::BTreeMap,
    fs::{self, OpenOptions},
    io::Write,
    path::Path,
    process,
};

use toolwright::{
    ChatModel, Message, ModelResponse, ToolCall, ToolContext, ToolError, Toolset,
    dynamic::{DynamicTool, Parameter},
    message::text_of,
    model::{ModelRequest, ModelStream},
    tool::{Effects, ToolPolicy},
};

use super::Points;

/// A model that has no state: what it says follows from the request. It calls each of its tools in each of some rounds, and
/// answers with what it was asked. Ids of calls begin with the question.
#[derive(Clone, Copy)]
pub(in crate::kept_runs) struct Script {
    pub(in crate::kept_runs) rounds: usize,
}

impl Script {
    fn respond(self, request: &ModelRequest) -> ModelResponse {
        let messages = &request.messages;
        let last = messages.iter().rev().find_map(|message| match message {
            Message::User(message) => Some(text_of(&message.parts)),
            Message::Assistant(_) => None,
        });
        let question = last.expect("somebody has asked");
        let since = messages.iter().rev().map_while(|message| match message {
            Message::Assistant(message) => Some(message.tool_rounds.len()),
            Message::User(_) => None,
        });
        let round = since.sum::<usize>();
        if round == self.rounds {
            return ModelResponse::from_text(question);
        }
        // With equal arguments it would go round in circles.
        let arguments = format!("{{\"round\": {round}}}");
        let id = |tool: &str| format!("{question} {tool} {round}");
        let call = |tool: &str| ToolCall::new(id(tool), tool, &*arguments);
        ModelResponse::from_calls(request.tools.iter().map(|tool| call(&tool.name)))
    }
}

impl ChatModel for Script {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let events = self.respond(request).into_events();
        let events = events.into_iter().map(Ok);
        Box::pin(futures_util::stream::iter(events.collect::<Vec<_>>()))
    }
}

/// A tool that writes its calls to a file of its own: the process, and the id of the call.
fn writing(name: &'static str, effects: Effects, folder: &Path, points: &Points) -> DynamicTool {
    let (file, points) = (folder.join(name), points.clone());
    let tool = DynamicTool::builder(name, "Writes its call to a file.");
    let tool = tool
        .required("round", Parameter::any())
        .policy(ToolPolicy::default().with_effects(effects));
    let tool = tool.build(move |call: ToolCall, _| {
        let (file, points) = (file.clone(), points.clone());
        async move {
            points.pass();
            write(&file, &call)?;
            points.pass();
            Ok::<_, ToolError>("written")
        }
    });
    tool.expect("is sound")
}

/// Adds a line for a call to a file.
fn write(file: &Path, call: &ToolCall) -> Result<(), ToolError> {
    let mut file = OpenOptions::new().append(true).create(true).open(file)?;
    let line = format!("{} {}\n", process::id(), call.id);
    Ok(file.write_all(line.as_bytes())?)
}

/// The steps of the tool `ship`, each with a file.
pub(in crate::kept_runs) const STEPS: [&str; 3] = ["pack", "label", "send"];

/// A tool that writes, `ship`, in steps: it records a checkpoint after each but the last.
pub(in crate::kept_runs) fn shipping(folder: &Path, points: &Points) -> DynamicTool {
    let (folder, points) = (folder.to_owned(), points.clone());
    let tool = DynamicTool::builder("ship", "Ships a parcel in steps.");
    let tool = tool.required("round", Parameter::any());
    let tool = tool.build(move |call: ToolCall, cx: ToolContext| {
        let (folder, points) = (folder.clone(), points.clone());
        async move {
            let done = cx
                .last_checkpoint()
                .map_or(0, |done| done.parse().expect("a number"));
            for (step, name) in STEPS.into_iter().enumerate().skip(done) {
                points.pass();
                write(&folder.join(name), &call)?;
                points.pass();
                if step + 1 < STEPS.len() {
                    cx.checkpoint((step + 1).to_string()).await?;
                }
            }
            Ok::<_, ToolError>("shipped")
        }
    });
    tool.expect("is sound")
}

/// A tool that writes, `pay`, and one that reads, `look`.
pub(in crate::kept_runs) fn tools(folder: &Path, points: &Points) -> Toolset {
    let tools = Toolset::new()
        .with(writing("pay", Effects::Write, folder, points))
        .and_then(|tools| tools.with(writing("look", Effects::ReadOnly, folder, points)));
    tools.expect("the names differ")
}

/// How often each call of a tool began, by the file that the tool wrote.
pub(in crate::kept_runs) fn began(folder: &Path, tool: &str) -> BTreeMap<String, usize> {
    let text = fs::read_to_string(folder.join(tool)).unwrap_or_default();
    let mut began = BTreeMap::new();
    for line in text.lines() {
        let (_, call) = line.split_once(' ').expect("a process and a call");
        *began.entry(call.to_owned()).or_default() += 1;
    }
    began
}
