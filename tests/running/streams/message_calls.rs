//! Calls in a message that is put together: which part a chunk is about, and that many calls end in time.

use toolwright::{
    streams::ui_message::{
        ChunkOutOfOrder, UiMessage, UiMessageChunk as Chunk, UiPart, UiToolPart, UiToolState,
    },
    tool::JsonText,
};

const CALLS: usize = 50_000;

fn json(text: &str) -> JsonText {
    JsonText::new(text).expect("is JSON")
}

fn begins(id: &str) -> Chunk {
    let (tool_call_id, tool_name) = (id.to_owned(), "paint".to_owned());
    Chunk::ToolInputStart {
        tool_call_id,
        tool_name,
    }
}

fn known(id: &str) -> Chunk {
    Chunk::ToolInputAvailable {
        tool_call_id: id.to_owned(),
        tool_name: "paint".to_owned(),
        input: json("{}"),
        provider_executed: None,
    }
}

fn output(id: &str, output: &str) -> Chunk {
    Chunk::ToolOutputAvailable {
        tool_call_id: id.to_owned(),
        output: json(output),
        preliminary: None,
        provider_executed: None,
    }
}

fn asks(approval: &str, call: &str) -> Chunk {
    Chunk::ToolApprovalRequest {
        approval_id: approval.to_owned(),
        tool_call_id: call.to_owned(),
    }
}

fn approves(approval: &str) -> Chunk {
    Chunk::ToolApprovalResponse {
        approval_id: approval.to_owned(),
        approved: true,
        reason: None,
    }
}

fn of(chunks: &[Chunk]) -> UiMessage {
    let mut message = UiMessage::assistant("m");
    for chunk in chunks {
        message.apply(chunk).expect("each follows those before it");
    }
    message
}

fn calls(message: &UiMessage) -> Vec<&UiToolPart> {
    let parts = message.parts().iter().filter_map(|part| match part {
        UiPart::Tool(part) => Some(part),
        _ => None,
    });
    parts.collect()
}

/// The outputs of the calls, in the order of the parts.
fn outputs(message: &UiMessage) -> Vec<Option<&str>> {
    let parts = calls(message).into_iter();
    parts
        .map(|part| part.output.as_ref().map(JsonText::as_str))
        .collect()
}

fn missing(what: &'static str, id: &str) -> ChunkOutOfOrder {
    let mut message = UiMessage::assistant("m");
    let chunk = match what {
        "call" => output(id, "1"),
        _ => approves(id),
    };
    message.apply(&chunk).expect_err("nothing is there")
}

#[test]
fn many_calls_of_a_step_end_in_time() {
    let mut message = of(&[Chunk::StartStep]);
    let ids: Vec<_> = (0..CALLS).map(|number| format!("c{number}")).collect();
    let mut all = |chunk: &dyn Fn(&str) -> Chunk| {
        for id in &ids {
            message.apply(&chunk(id)).expect("its call is there");
        }
    };
    all(&begins);
    all(&known);
    all(&|id| asks(&format!("{id}:approval"), id));
    all(&|id| approves(&format!("{id}:approval")));
    message.apply(&Chunk::StartStep).expect("a step begins");
    for id in &ids {
        message.apply(&output(id, "1")).expect("its call is there");
    }
    let parts = calls(&message);
    assert_eq!(parts.len(), CALLS);
    for (part, id) in parts.into_iter().zip(&ids) {
        assert_eq!(part.tool_call_id, *id);
        assert_eq!(part.state, UiToolState::OutputAvailable);
        let approval = part.approval.as_ref().expect("was asked for");
        assert_eq!(approval.approved, Some(true));
    }
}

#[test]
fn a_chunk_is_about_the_call_of_its_step_or_the_last_one_before() {
    let two_steps = [
        Chunk::StartStep,
        known("a"),
        known("b"),
        output("a", "1"),
        Chunk::StartStep,
        known("a"),
    ];
    let mut message = of(&two_steps);
    assert_eq!(outputs(&message), [Some("1"), None, None]);
    for (id, text) in [("a", "2"), ("b", "3")] {
        message.apply(&output(id, text)).expect("is there");
    }
    assert_eq!(outputs(&message), [Some("1"), Some("3"), Some("2")]);
    // One that begins anew in its step stays in its place, and keeps its approval.
    message.apply(&asks("q", "a")).expect("is there");
    message.apply(&known("a")).expect("begins anew");
    assert_eq!(outputs(&message), [Some("1"), Some("3"), None]);
    message.apply(&approves("q")).expect("was asked for");
    assert_eq!(calls(&message)[2].state, UiToolState::ApprovalResponded);
}

#[test]
fn a_step_that_is_void_has_no_calls() {
    let mut message = of(&[
        Chunk::StartStep,
        known("a"),
        asks("p", "a"),
        Chunk::StartStep,
        known("a"),
        known("b"),
        asks("q", "b"),
        Chunk::ResetStep,
    ]);
    assert_eq!(calls(&message).len(), 1);
    assert_eq!(message.apply(&output("b", "1")), Err(missing("call", "b")));
    assert_eq!(message.apply(&approves("q")), Err(missing("approval", "q")));
    // The call of the step before is the one that is known again.
    message.apply(&output("a", "1")).expect("is there");
    message.apply(&approves("p")).expect("was asked for");
    assert_eq!(outputs(&message), [Some("1")]);
    for chunk in [known("b"), asks("q", "b"), approves("q"), known("a")] {
        message.apply(&chunk).expect("begins again");
    }
    message.apply(&output("a", "2")).expect("is there");
    assert_eq!(outputs(&message), [Some("1"), None, Some("2")]);
    // Of another message nothing is known.
    let message_id = "other".to_owned();
    message.apply(&Chunk::Start { message_id }).expect("begins");
    assert_eq!(message.apply(&output("a", "1")), Err(missing("call", "a")));
    message.apply(&known("a")).expect("begins without a step");
    message.apply(&output("a", "3")).expect("is there");
    assert_eq!(outputs(&message), [Some("3")]);
}
