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
                let calls = calls_of(parts).count();
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
        panic!("the response is kept")
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
    let (flat, rounds) = flatten(conversation.messages());
    let turns: Vec<_> = flat.iter().flat_map(Message::turns).collect();
    assert!(turns.iter().all(|turn| !matches!(turn, Turn::Results(_))));
    let text = format!("{turns:?}");
    assert!(text.contains("Let me look.") && text.contains("look {}") && text.contains("sunny"));
    assert_eq!(flat.last(), Some(&Message::user(rounds.concat())));
}

/// A conversation with two rounds, an answer, and a round that waits.
fn stored() -> serde_json::Value {
    let mut conversation = Conversation::new();
    conversation.push_user("hi");
    for ids in [["a", "b"], ["", ""]] {
        conversation.push_response(ModelResponse::from_calls(ids.map(call)));
        let results = ids.map(|id| ToolResult::success(id, 1));
        conversation.push_results(results).expect("fit");
    }
    conversation.push_response(ModelResponse::from_text("done"));
    conversation.push_user("go on");
    conversation.push_response(ModelResponse::from_calls([call("c")]));
    serde_json::to_value(conversation).expect("serialises")
}

#[test]
fn a_stored_form_in_which_calls_and_results_do_not_belong_together_is_refused_at_its_place() {
    use serde_json::json;

    assert!(serde_json::from_value::<Conversation>(stored()).is_ok());
    let call = || serde_json::to_value(Part::Call(call("x"))).expect("serialises");
    let round = "/messages/1/tool_rounds/1";
    let results = || stored()["messages"][1]["tool_rounds"][1]["results"].clone();
    let mut fewer = results();
    fewer.as_array_mut().expect("is a list").pop();
    let mut more = results();
    more.as_array_mut()
        .expect("is a list")
        .push(results()[0].clone());
    let first = stored()["messages"][1]["tool_rounds"][0]["results"].clone();
    let mut swapped = first.clone();
    swapped.as_array_mut().expect("is a list").reverse();
    for (pointer, value, expected) in [
        (
            format!("{round}/results"),
            fewer,
            "message 1, round 1: 1 results for 2 calls",
        ),
        (
            format!("{round}/results"),
            more,
            "message 1, round 1: 3 results for 2 calls",
        ),
        (
            format!("{round}/results"),
            json!([]),
            "message 1, round 1: 0 results for 2 calls",
        ),
        (
            format!("{round}/results"),
            first.clone(),
            "message 1, round 1: result 0 is for the call `a`, but call 0 is ``",
        ),
        (
            "/messages/1/tool_rounds/0/results".to_owned(),
            swapped,
            "message 1, round 0: result 0 is for the call `b`, but call 0 is `a`",
        ),
        (
            format!("{round}/reply"),
            json!([]),
            "message 1, round 1: a round needs at least one call: it has none, and 2 results",
        ),
        (
            round.to_owned(),
            json!({"reply": [], "results": []}),
            "message 1, round 1: a round needs at least one call: it has none, and 0 results",
        ),
        (
            "/messages/0/parts/0".to_owned(),
            call(),
            "message 0, part 0: a user message holds a call",
        ),
        (
            "/messages/2/parts/0".to_owned(),
            json!({"type": "reasoning", "content": "hm"}),
            "message 2, part 0: a user message holds reasoning",
        ),
        (
            "/messages/1/parts/0".to_owned(),
            call(),
            "message 1, part 0: the final response has a tool call",
        ),
        (
            "/messages/3/tool_rounds/0/results".to_owned(),
            first,
            "message 3, round 0: 2 results for 1 calls",
        ),
        ("/version".to_owned(), json!(0), "the unknown version 0"),
        (
            "/version".to_owned(),
            json!(2),
            "version 2, and this crate reads up to 1",
        ),
    ] {
        let mut stored = stored();
        *stored.pointer_mut(&pointer).expect("is there") = value;
        let error = serde_json::from_value::<Conversation>(stored).expect_err(expected);
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn a_round_waits_only_at_the_end() {
    let mut with_answer = stored();
    with_answer["messages"][3]["parts"] = serde_json::json!([{"type": "text", "content": "done"}]);
    let error = serde_json::from_value::<Conversation>(with_answer).expect_err("has gone on");
    assert!(
        error
            .to_string()
            .contains("message 3, round 0: 0 results for 1 calls")
    );
}

/// Whatever is pushed, the stored form of it is read.
#[test]
fn what_was_pushed_can_be_stored_and_read() {
    let parts = || {
        [
            Part::Text("hi".into()),
            Part::Reasoning("hm".into()),
            Part::Call(call("a")),
            Part::Call(call("")),
        ]
    };
    let pushes: [fn(&mut Conversation, Vec<Part>); 4] = [
        |conversation, parts| conversation.push_user(UserMessage::new(parts)),
        |conversation, parts| conversation.push_response(ModelResponse::new(parts)),
        |conversation, parts| {
            let cut = ModelResponse::new(parts).with_finish_reason(FinishReason::Length);
            conversation.push_response(cut);
        },
        |conversation, _| {
            let ids: Vec<_> = conversation
                .pending_calls()
                .map(|call| call.id.clone())
                .collect();
            let results = ids.into_iter().map(|id| ToolResult::success(id, 1));
            let _ = conversation.push_results(results.collect::<Vec<_>>());
        },
    ];
    for choices in 0..4_usize.pow(5) {
        let mut conversation = Conversation::new();
        for step in 0..5 {
            let choice = choices / 4_usize.pow(step) % 4;
            let some = parts()[..=(choices + step as usize) % 4].to_vec();
            pushes[choice](&mut conversation, some);
        }
        let stored = serde_json::to_string(&conversation).expect("serialises");
        let read = serde_json::from_str::<Conversation>(&stored);
        assert_eq!(read.expect("is one"), conversation);
        let users = conversation
            .messages()
            .iter()
            .filter_map(|message| match message {
                Message::User(user) => Some(&user.parts),
                Message::Assistant(_) => None,
            });
        assert!(users.flatten().all(|part| matches!(part, Part::Text(_))));
    }
}
