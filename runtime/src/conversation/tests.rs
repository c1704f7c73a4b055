use super::*;
use crate::message::Turn;

fn call(id: &str) -> ToolCall {
    ToolCall::new(id, "look", "{}")
}

/// Whether every reply with calls is followed by their results, and nothing else is.
fn is_valid(conversation: &Conversation) -> bool {
    let mut waiting = None;
    for turn in conversation.messages.iter().flat_map(Message::turns) {
        match (waiting.take(), turn) {
            (None, Turn::Assistant(parts)) => {
                let calls = crate::message::calls_of(parts).count();
                waiting = (calls > 0).then_some(calls);
            }
            (None, Turn::User(_)) => {}
            (Some(calls), Turn::Results(round)) if round.results.len() == calls => {}
            _ => return false,
        }
    }
    waiting.is_none()
}

#[test]
fn rounds_and_the_final_reply_are_one_message() {
    let mut conversation = Conversation::new().with_system("Be brief.");
    conversation.push_user("hi");
    conversation.push_response(ModelResponse::from_calls([call("a"), call("a")]));
    assert!(conversation.requires_tool_execution());
    assert_eq!(conversation.pending_calls().count(), 2);
    conversation
        .push_results([ToolResult::success("a", 1), ToolResult::success("a", 2)])
        .expect("one result a call");
    conversation.push_response(ModelResponse::from_text("done"));
    assert_eq!(conversation.messages().len(), 2);
    assert_eq!(conversation.text(), "done");
    assert!(!conversation.requires_tool_execution() && is_valid(&conversation));
}

#[test]
fn going_on_without_results_answers_the_calls() {
    for go_on in [
        (|conversation: &mut Conversation| conversation.push_user("never mind"))
            as fn(&mut Conversation),
        |conversation| conversation.push_response(ModelResponse::from_text("never mind")),
    ] {
        let mut conversation = Conversation::new();
        conversation.push_user("hi");
        conversation.push_response(ModelResponse::from_calls([call("a"), call("")]));
        go_on(&mut conversation);
        assert!(!conversation.requires_tool_execution() && is_valid(&conversation));
    }
}

#[test]
fn calls_of_a_reply_that_was_cut_off_are_not_to_be_run() {
    let mut conversation = Conversation::new();
    conversation.push_user("hi");
    let cut = ModelResponse::from_calls([call("a")]).with_finish_reason(FinishReason::Length);
    conversation.push_response(cut);
    assert!(!conversation.requires_tool_execution() && is_valid(&conversation));
    let Some(Message::Assistant(message)) = conversation.messages().last() else {
        panic!("the reply is kept")
    };
    assert!(
        message.tool_rounds[0].results[0]
            .to_model_text()
            .contains("cut off")
    );
}

#[test]
fn results_that_do_not_fit_change_nothing() {
    let mut conversation = Conversation::new();
    assert_eq!(
        conversation.push_results([]),
        Err(ConversationError::NoCallsWaiting)
    );
    conversation.push_user("hi");
    conversation.push_response(ModelResponse::from_calls([call("a"), call("b")]));
    let before = conversation.clone();
    assert_eq!(
        conversation.push_results([ToolResult::success("a", 1)]),
        Err(ConversationError::WrongCount {
            calls: 2,
            results: 1
        })
    );
    let swapped = [ToolResult::success("b", 1), ToolResult::success("a", 2)];
    assert!(matches!(
        conversation.push_results(swapped),
        Err(ConversationError::WrongCall { index: 0, .. })
    ));
    assert_eq!(conversation, before);
}

#[test]
fn a_refusal_is_kept_as_what_was_said() {
    let mut conversation = Conversation::new();
    conversation.push_user("hi");
    let mut refusal = ModelResponse::new(Vec::new()).with_finish_reason(FinishReason::Refusal);
    refusal.refusal = Some("I cannot help with that.".into());
    conversation.push_response(refusal);
    assert_eq!(conversation.text(), "I cannot help with that.");
}

#[test]
fn the_stored_form_comes_back_equal_and_is_checked() {
    let mut conversation = Conversation::new().with_system("Be brief.");
    conversation.push_user("hi");
    conversation.push_response(ModelResponse::from_calls([call("a")]));
    let json = serde_json::to_string(&conversation).expect("serialises");
    assert_eq!(
        serde_json::from_str::<Conversation>(&json).expect("reads"),
        conversation
    );

    let newer = json.replace("\"version\":1", "\"version\":2");
    let error = serde_json::from_str::<Conversation>(&newer)
        .expect_err("is newer")
        .to_string();
    assert!(error.contains("version 2"), "{error}");

    conversation.push_user("go on");
    let json = serde_json::to_value(&conversation).expect("serialises");
    let mut broken = json.clone();
    broken["messages"][1]["tool_rounds"][0]["results"] = serde_json::json!([]);
    let error = serde_json::from_value::<Conversation>(broken)
        .expect_err("unanswered")
        .to_string();
    assert!(error.contains("message 1, round 0"), "{error}");
}

#[test]
fn a_flattened_history_has_no_calls_and_loses_no_result() {
    let mut conversation = Conversation::new();
    conversation.push_user("hi");
    conversation.push_response(ModelResponse::new(vec![
        Part::Text("Let me look.".into()),
        Part::Call(call("a")),
    ]));
    conversation
        .push_results([ToolResult::success("a", "sunny")])
        .expect("fits");
    let flat = flatten(conversation.messages());
    let turns: Vec<_> = flat.iter().flat_map(Message::turns).collect();
    assert!(turns.iter().all(|turn| !matches!(turn, Turn::Results(_))));
    let text = format!("{turns:?}");
    assert!(text.contains("Let me look.") && text.contains("look {}") && text.contains("sunny"));
}
