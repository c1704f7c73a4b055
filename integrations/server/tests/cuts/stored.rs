//! What the store has of a chat.

use serde_json::Value;
use toolwright::{
    Message, ToolResult,
    message::Part,
    store::{ConversationVersion, RunFilter, RunStatus, Scope, SqliteStore, Store},
};

use crate::{
    assembled::{Assembled, Step},
    host::Host,
};

/// What the conversation of a chat has after its one run.
pub(crate) async fn of_chat(host: &Host, chat: &str) -> Assembled {
    let store = SqliteStore::open(host.file()).await.expect("it is there");
    let mut filter = RunFilter::default();
    filter.labels.insert("chat".to_owned(), chat.to_owned());
    let runs = store
        .list(Scope::All, &filter)
        .await
        .expect("it is read")
        .items;
    assert_eq!(runs.len(), 1, "{chat} has one run");
    assert_eq!(runs[0].status, RunStatus::Finished, "{chat}");
    let reference = runs[0].info.conversation.as_ref();
    let id = &reference.expect("it continues a conversation").id;
    let versions = store
        .conversation(Scope::All, id, 0, None)
        .await
        .expect("it is read");
    let conversation = ConversationVersion::join(&versions).expect("it is whole");
    let [Message::User(_), Message::Assistant(answer)] = conversation.messages() else {
        panic!("{chat} has a question and an answer: {conversation:?}");
    };
    let mut steps = Vec::new();
    for round in &answer.tool_rounds {
        let mut step = said(&round.reply);
        for (call, result) in round.answered_calls() {
            let arguments = serde_json::from_str(&call.arguments).expect("it is JSON");
            step.calls
                .push((call.name.clone(), arguments, shown(result)));
        }
        assert_eq!(step.calls.len(), round.calls().count(), "{chat}");
        steps.push(step);
    }
    steps.push(said(&answer.parts));
    Assembled { steps }
}

fn said(parts: &[Part]) -> Step {
    let mut step = Step::default();
    for part in parts {
        match part {
            Part::Text(text) => step.text += text,
            Part::Reasoning(text) => step.reasoning += text,
            _ => {}
        }
    }
    step
}

/// A result as front ends show it.
fn shown(result: &ToolResult) -> Value {
    match &result.outcome {
        Ok(output) => {
            let text = output.to_text();
            serde_json::from_str(&text).unwrap_or_else(|_| text.into_owned().into())
        }
        Err(error) => error.to_model_text().into(),
    }
}
