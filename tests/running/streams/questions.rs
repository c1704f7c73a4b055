//! Questions of calls: what each protocol sends of them, and how a client answers.

use serde_json::{Value, json};
use toolwright::{
    approval::Decision,
    run::Resolution,
    streams::{
        AgUiStream, Frame, PlainStream, UiMessageStream,
        ag_ui::{AgUiRequest, AgUiRequestContent},
        ui_message::{ChatRequest, ChatRequestContent, ChatRequestError, ChatRequestLimits},
    },
};

use super::scripts::{self, Told};

async fn asked() -> Told {
    let mut all = scripts::all().await.into_iter();
    all.find(|told| told.name == "asked").expect("is one")
}

/// The data of frames, without the id of the run.
fn json_of<T: serde::Serialize>(told: &Told, frames: &[Frame<T>]) -> Vec<Value> {
    let json = frames.iter().map(Frame::to_json);
    let json = json.filter(|json| json != "[DONE]");
    json.map(|json| {
        assert!(!json.contains(['\n', '\r']), "{json}");
        serde_json::from_str(&json.replace(&told.run_id(), "RUN")).expect("is JSON")
    })
    .collect()
}

fn form() -> Value {
    json!({"type": "object", "properties": {"size": {"enum": ["S", "M"]}}, "required": ["size"]})
}

#[tokio::test(start_paused = true)]
async fn a_chat_client_has_the_question_before_the_request() {
    let told = asked().await;
    let questions = [
        (
            "RUN:0.0:approval",
            json!({"message": "Which <b>size</b>?", "form": form()}),
        ),
        (
            "RUN:0.0:approval-1",
            json!({"message": "Pay it.", "url": "https://example.com/pay"}),
        ),
    ];
    for (part, (id, data)) in questions.into_iter().enumerate() {
        let mut stream = UiMessageStream::new(told.run_id());
        for event in told.parts[..part].iter().flatten() {
            stream.catch_up(event);
        }
        let frames: Vec<_> = (told.parts[part].iter())
            .flat_map(|event| stream.push(event))
            .collect();
        let frames = json_of(&told, &frames);
        let [.., question, request] = &frames[..] else {
            panic!("{frames:?}");
        };
        let expected = json!({"type": "data-question", "id": id, "data": data});
        assert_eq!(*question, expected);
        let expected =
            json!({"type": "tool-approval-request", "approvalId": id, "toolCallId": "RUN:0.0"});
        assert_eq!(*request, expected);
    }
    // A page that is loaded has it, and no output of a call that waits: `validateUIMessages` refuses one.
    let message = UiMessageStream::new("m").into_message(&told.parts[0], false);
    let message = serde_json::to_value(message.expect("is in order")).expect("is JSON");
    let parts = message["parts"].as_array().expect("has parts");
    let of_type = |kind: &str| parts.iter().find(|part| part["type"] == kind);
    let call = of_type("tool-order_shirt").expect("is there");
    assert_eq!(
        (&call["state"], call.get("output")),
        (&json!("approval-requested"), None)
    );
    let question = of_type("data-question").expect("is there");
    assert_eq!(question["id"], call["approval"]["id"]);
}

#[tokio::test(start_paused = true)]
async fn other_clients_have_the_question_with_the_request() {
    let told = asked().await;
    let mut plain = PlainStream::new();
    let frames: Vec<_> = (told.parts[0].iter())
        .flat_map(|event| plain.push(event))
        .collect();
    let frames = json_of(&told, &frames);
    let request = frames.iter().find(|it| it["type"] == "approval_request");
    let question = json!({"message": "Which <b>size</b>?", "form": form()});
    assert_eq!(request.expect("is sent")["question"], question);

    for (parts, question, answer) in [
        (1, question, form()),
        (
            2,
            json!({"message": "Pay it.", "url": "https://example.com/pay"}),
            json!({"type": "object", "maxProperties": 0}),
        ),
    ] {
        let mut stream = AgUiStream::new("t", "r");
        for event in told.parts[..parts].iter().flatten() {
            stream.push(event);
        }
        let frames = json_of(&told, &stream.end());
        let interrupt = &frames.last().expect("it ends")["outcome"]["interrupts"][0];
        assert_eq!(interrupt["message"], question["message"]);
        assert_eq!(interrupt["metadata"]["question"], question);
        let schema = &interrupt["responseSchema"];
        assert_eq!(schema["properties"]["answer"], answer);
        // A denial needs none.
        assert_eq!(schema["required"], json!(["approved"]));
        let approved = json!({"properties": {"approved": {"const": true}}});
        let needs_answer = json!({"required": ["answer"]});
        assert_eq!((&schema["if"], &schema["then"]), (&approved, &needs_answer));
    }
}

/// The bounds of these requests.
fn limits() -> ChatRequestLimits {
    ChatRequestLimits {
        answer_bytes: 64,
        ..ChatRequestLimits::default()
    }
}

/// The id of the first question of the call, or of the second one.
fn question_id(told: &Told, question: usize) -> String {
    let number = if question == 1 { "" } else { "-1" };
    format!("{}:0.0:approval{number}", told.run_id())
}

/// What becomes of what a chat client says about a question after so many streams.
fn claimed(
    told: &Told,
    parts: usize,
    question: usize,
    approval: &Value,
) -> Result<Vec<Resolution>, ChatRequestError> {
    let mut stream = UiMessageStream::new(told.run_id());
    for event in told.parts[..parts].iter().flatten() {
        stream.catch_up(event);
    }
    let call = format!("{}:0.0", told.run_id());
    let mut approval = approval.clone();
    approval["id"] = question_id(told, question).into();
    let part = json!({
        "type": "tool-order_shirt", "toolCallId": call, "state": "approval-responded", "input": {"colour": "red"},
        "approval": approval,
    });
    let message = json!({"id": told.run_id(), "role": "assistant", "parts": [part]});
    let body = json!({"id": "chat", "messages": [message], "trigger": "submit-message"});
    let request = ChatRequest::from_json(body.to_string().as_bytes(), &limits())?;
    let ChatRequestContent::Approvals(claims) = request.content else {
        panic!("it has a decision")
    };
    claims.check(&stream)
}

/// As [`claimed`], of a client of AG-UI.
fn resumed(
    told: &Told,
    parts: usize,
    question: usize,
    payload: &Value,
) -> Result<Vec<Resolution>, ChatRequestError> {
    let mut stream = AgUiStream::new("t", "r");
    for event in told.parts[..parts].iter().flatten() {
        stream.catch_up(event);
    }
    let id = question_id(told, question);
    let entry = json!({"interruptId": id, "status": "resolved", "payload": payload});
    let body = json!({"threadId": "t", "runId": "r", "messages": [], "resume": [entry]});
    let request = AgUiRequest::from_json(body.to_string().as_bytes(), &limits())?;
    let AgUiRequestContent::Claims(claims) = request.content else {
        panic!("it has a decision")
    };
    claims.check(&stream)
}

/// The only decision, which answers a question.
fn only(resolutions: &[Resolution]) -> Decision {
    let [resolution] = resolutions else {
        panic!("{resolutions:?}")
    };
    assert!(Resolution::answers_question(resolution));
    resolution.decision().expect("it is one").clone()
}

#[tokio::test(start_paused = true)]
async fn the_reason_of_an_approval_is_the_answer() {
    let told = asked().await;
    for (parts, approval, decision) in [
        (
            1,
            json!({"approved": true, "reason": r#"{"size":"S"}"#}),
            Decision::approve_with(r#"{"size":"S"}"#),
        ),
        (
            2,
            json!({"approved": true, "reason": "{}"}),
            Decision::approve_with("{}"),
        ),
        (
            1,
            json!({"approved": false, "reason": "no"}),
            Decision::deny("no"),
        ),
    ] {
        let claimed = claimed(&told, parts, parts, &approval).expect("it fits");
        assert_eq!(only(&claimed), decision, "{approval}");
    }
    // A click on what looks like an approval answers nothing, and neither does a reason in words.
    for (parts, reason) in [
        (1, Value::Null),
        (1, json!("")),
        (1, json!("fine with me")),
        (1, json!("{}")),
        (1, json!(r#"{"size":"XL"}"#)),
        (2, Value::Null),
        (2, json!(r#"{"size":"S"}"#)),
    ] {
        let approval = json!({"approved": true, "reason": reason});
        let refused = claimed(&told, parts, parts, &approval);
        let refused = refused.expect_err("does not fit");
        let ChatRequestError::Unfit { id, .. } = &refused else {
            panic!("{reason}: {refused:?}")
        };
        assert_eq!(*id, question_id(&told, parts));
        assert!(refused.to_string().contains(id), "{refused}");
    }
    let long = json!({"approved": true, "reason": format!("{{{}}}", " ".repeat(64))});
    let refused = claimed(&told, 1, 1, &long);
    assert_eq!(refused, Err(ChatRequestError::AnswerTooLong { max: 64 }));
    // AG-UI has it as JSON, with what stands between.
    let long = json!({"approved": true, "answer": {"size": "S".repeat(64)}});
    let refused = resumed(&told, 1, 1, &long);
    assert_eq!(refused, Err(ChatRequestError::AnswerTooLong { max: 64 }));
    let answer = json!({"approved": true, "answer": {"size": "S"}});
    let taken = resumed(&told, 1, 1, &answer).expect("it fits");
    assert_eq!(only(&taken), Decision::approve_with(r#"{"size":"S"}"#));
}

/// Two pages show one question. The answer of the first, `{"size":"M"}`, is in the log when that of the second comes.
#[tokio::test(start_paused = true)]
async fn another_answer_to_a_question_is_refused() {
    let told = asked().await;
    let same = Err(ChatRequestError::NothingNew);
    let other = Err(ChatRequestError::DecidedBefore(question_id(&told, 1)));
    for (approved, answer, expected) in [
        (true, r#"{"size":"M"}"#, &same),
        (true, r#"{"size":"S"}"#, &other),
        (true, "{}", &other),
        (false, "no", &other),
        // As a page shows that it was answered.
        (true, "", &same),
    ] {
        let approval = json!({"approved": approved, "reason": answer});
        let claimed = claimed(&told, 2, 1, &approval);
        assert_eq!(claimed, *expected, "useChat: {approval}");
        let mut payload = approval;
        if let Ok(answer) = serde_json::from_str::<Value>(answer) {
            payload["answer"] = answer;
        }
        let resumed = resumed(&told, 2, 1, &payload);
        assert_eq!(resumed, *expected, "AG-UI: {payload}");
    }
}
