//! What a client of AG-UI sends.

use serde_json::{Value, json};
use toolwright::{
    approval::Decision,
    message::{Image, Part, text_of},
    run::Resolution,
    streams::{
        AgUiStream,
        ag_ui::{AgUiRequest, AgUiRequestContent},
        ui_message::{ChatRequestError, ChatRequestLimits},
    },
};

use super::{
    requests::told_of,
    scripts::{self, Told},
};

fn read(body: &Value) -> Result<AgUiRequest, ChatRequestError> {
    AgUiRequest::from_json(body.to_string().as_bytes(), &ChatRequestLimits::default())
}

fn body(messages: &Value) -> Value {
    json!({"threadId": "t", "runId": "r2", "parentRunId": "r1", "messages": messages, "state": {}, "tools": []})
}

async fn told(name: &str) -> Told {
    let mut all = scripts::all().await.into_iter();
    all.find(|told| told.name == name).expect("is one")
}

fn caught_up(told: &Told) -> AgUiStream {
    let mut stream = AgUiStream::new("t", "r2");
    for event in &told.parts[0] {
        stream.catch_up(event);
    }
    stream
}

fn claims(body: &Value, stream: &AgUiStream) -> Result<Vec<Resolution>, ChatRequestError> {
    match read(body)?.content {
        AgUiRequestContent::Claims(claims) => claims.check(stream),
        other => panic!("it goes on: {other:?}"),
    }
}

#[test]
fn of_the_messages_the_newest_is_taken() {
    let content = json!([
        {"type": "text", "text": "What is it?"},
        {"type": "image", "source": {"type": "data", "value": "iVBORw==", "mimeType": "image/png"}},
    ]);
    let request = read(&body(&json!([
        {"id": "a", "role": "assistant", "content": "Hello."},
        {"id": "u", "role": "user", "content": content},
    ])));
    let request = request.expect("is sound");
    assert_eq!(
        (request.thread_id.as_str(), request.run_id.as_str()),
        ("t", "r2")
    );
    assert_eq!(request.parent_run_id.as_deref(), Some("r1"));
    let AgUiRequestContent::Message(new) = request.content else {
        panic!("it is a message")
    };
    assert_eq!((new.id.as_str(), new.after.as_deref()), ("u", Some("a")));
    assert_eq!(text_of(&new.message.parts), "What is it?");
    let image = Part::Image(Image::from_bytes("image/png", b"\x89PNG"));
    assert_eq!(new.message.parts[1], image);
    let image =
        json!([{"type": "image", "source": {"type": "url", "value": "https://169.254.169.254/"}}]);
    let refused = read(&body(
        &json!([{"id": "u", "role": "user", "content": image}]),
    ));
    assert!(matches!(refused, Err(ChatRequestError::Part(_))));
    let file = |kind: &str, media_type: &str| json!({"type": kind, "source": {"type": "data", "value": "JVBERg==", "mimeType": media_type}});
    let asks = |content: &Value| {
        read(&body(
            &json!([{"id": "u", "role": "user", "content": content}]),
        ))
    };
    let files = asks(&json!([
        file("document", "application/pdf"),
        file("audio", "audio/wav")
    ]));
    let AgUiRequestContent::Message(new) = files.expect("is sound").content else {
        panic!("it is a message")
    };
    assert!(matches!(
        new.message.parts[..],
        [Part::Document(_), Part::Audio(_)]
    ));
    for refused in [
        json!([file("video", "video/mp4")]),
        json!([file("document", "application/zip")]),
        json!([{"type": "document", "source": {"type": "url", "value": "https://169.254.169.254/"}}]),
        json!(vec![file("document", "application/pdf"); 5]),
    ] {
        assert!(
            matches!(asks(&refused), Err(ChatRequestError::Part(_))),
            "{refused}"
        );
    }
    let nothing = json!([{"id": "a", "role": "assistant", "content": "Hello."}]);
    assert_eq!(read(&body(&nothing)), Err(ChatRequestError::NoMessage));
}

#[tokio::test(start_paused = true)]
async fn interrupts_are_resumed() {
    let told = told("approved").await;
    let stream = caught_up(&told);
    let waiting = stream.waiting();
    let ids: Vec<_> = waiting
        .iter()
        .map(|call| stream.interrupt_id(call))
        .collect();
    let resume = |entries: Value| {
        let mut body = body(&json!([{"id": "u", "role": "user", "content": "Pay."}]));
        body["resume"] = entries;
        claims(&body, &stream)
    };
    let entry = |id: &str, payload: Value| json!({"interruptId": id, "status": "resolved", "payload": payload});
    let decided = resume(json!([
        entry(&ids[0], json!({"approved": true})),
        entry(&ids[1], json!({"approved": false, "reason": "too much"})),
    ]));
    let decided: Vec<_> = decided
        .expect("is sound")
        .into_iter()
        .map(|one| {
            let decision = one.decision().expect("it is a decision");
            (one.id(), decision.clone())
        })
        .collect();
    let expected = [
        (waiting[0].id, Decision::Approve),
        (waiting[1].id, Decision::deny("too much")),
    ];
    assert_eq!(decided, expected);
    let dismissed = resume(json!([{"interruptId": ids[0], "status": "cancelled"}]));
    assert!(matches!(
        &dismissed.expect("is sound")[..],
        [one] if matches!(one.decision(), Some(Decision::Deny { .. }))
    ));
    let unknown = resume(json!([entry("another", json!({"approved": true}))]));
    let error = ChatRequestError::UnknownApproval("another".to_owned());
    assert_eq!(unknown, Err(error));
    let both = resume(json!([
        entry(&ids[0], json!({"approved": true})),
        entry(&ids[0], json!({"approved": false})),
    ]));
    assert_eq!(both, Err(ChatRequestError::DecidedBefore(ids[0].clone())));
    for malformed in [json!({}), Value::Null] {
        let refused = resume(json!([entry(&ids[0], malformed)]));
        assert!(matches!(refused, Err(ChatRequestError::Malformed(_))));
    }
}

/// A user who writes instead of deciding, or beside it, has said something that a decision alone does not have.
#[test]
fn a_new_message_beside_decisions_is_refused() {
    let question = json!({"id": "u", "role": "user", "content": "Pay."});
    let asked = json!({"id": "a", "role": "assistant", "toolCalls": []});
    let wait = json!({"id": "w", "role": "user", "content": "Wait, use the other account."});
    let answer = json!({"id": "x", "role": "tool", "toolCallId": "c", "content": "red"});
    let resumed = |messages: Value| {
        let mut body = body(&messages);
        let payload = json!({"approved": true});
        body["resume"] = json!([{"interruptId": "i", "status": "resolved", "payload": payload}]);
        read(&body).map(|request| request.content)
    };
    let refused = Err(ChatRequestError::Malformed(
        "the request has both a new user message and decisions or answers: send one or the other"
            .to_owned(),
    ));
    assert_eq!(resumed(json!([question, asked, wait])), refused);
    let answered = body(&json!([question, asked, wait, answer]));
    assert_eq!(read(&answered).map(|request| request.content), refused);
    // The question of the run is no new message, and neither is one that was answered.
    for known in [
        json!([question]),
        json!([question, asked]),
        json!([question, asked, wait, asked]),
    ] {
        let taken = resumed(known);
        assert!(
            matches!(taken, Ok(AgUiRequestContent::Claims(_))),
            "{taken:?}"
        );
    }
}

/// A client answers a call with a message of the role `tool`, behind those that it has of the server.
#[tokio::test(start_paused = true)]
async fn an_external_call_is_answered() {
    let told = told("answered").await;
    let stream = caught_up(&told);
    let call = format!("{}:0.0", told.run_id());
    let answered = |id: &str| {
        let messages = json!([
            {"id": "u", "role": "user", "content": "Paint it."},
            {"id": "a", "role": "assistant", "toolCalls": []},
            {"id": "x", "role": "tool", "toolCallId": "another", "content": "sun"},
            {"id": "y", "role": "tool", "toolCallId": id, "content": "red"},
            {"id": "z", "role": "activity", "activityType": "tool_progress", "content": {}},
        ]);
        claims(&body(&messages), &stream)
    };
    match &answered(&call).expect("it waits")[..] {
        [answer] => assert_eq!(told_of(answer), Ok("red".to_owned())),
        other => panic!("it is one answer: {other:?}"),
    }
    assert_eq!(answered("other"), Err(ChatRequestError::NothingNew));
}

/// A client has the results of other calls too, with whatever content. Only that of a call that waits is read.
#[tokio::test(start_paused = true)]
async fn answers_are_read_of_calls_that_wait() {
    let told = told("answered").await;
    let stream = caught_up(&told);
    let call = format!("{}:0.0", told.run_id());
    let answered = |other: Value, content: Value| {
        let messages = json!([
            {"id": "a", "role": "assistant", "toolCalls": []},
            {"id": "x", "role": "tool", "toolCallId": "another", "content": other},
            {"id": "y", "role": "tool", "toolCallId": call, "content": content},
        ]);
        let claims = claims(&body(&messages), &stream)?;
        match &claims[..] {
            [answer] => Ok(told_of(answer)),
            other => panic!("it is one answer: {other:?}"),
        }
    };
    let piece = |text: &str| json!({"type": "text", "text": text});
    let image = json!({"type": "image", "source": {}});
    for other in [json!(5), json!([5]), json!({"text": "sun"})] {
        let content = json!([piece("r"), image, piece("ed")]);
        let red = Ok(Ok("red".to_owned()));
        assert_eq!(answered(other.clone(), content), red, "beside {other}");
        let refused = answered(json!("sun"), other);
        assert!(
            matches!(refused, Err(ChatRequestError::Malformed(_))),
            "{refused:?}"
        );
    }
    let max = ChatRequestLimits::default().answer_bytes;
    let long = "r".repeat(max);
    let too_long = Err(ChatRequestError::AnswerTooLong { max });
    assert_eq!(answered(json!(""), json!(long)), too_long);
    assert_eq!(
        answered(json!(""), json!([piece(&long), piece("e")])),
        too_long
    );
    let longest = &long[2..];
    let text = Ok(Ok(longest.to_owned()));
    assert_eq!(answered(json!(""), json!(longest)), text);
    assert_eq!(
        answered(json!(""), json!([piece(longest), piece("")])),
        text
    );
    assert_eq!(answered(json!(long), Value::Null), Ok(Err(String::new())));
}
