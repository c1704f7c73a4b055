//! Checks of questions and answers by the application: what is sent, what is read, and what is paid.

mod late;
mod leaks;
mod places;
mod readers;
mod refused_input;
mod said;
mod scripts;
mod stored_input;

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

use toolwright::{
    ChatModel, Conversation, Message, ModelError, ModelResponse, Runner, ToolCall,
    message::{Part, UserMessage, text_of},
    model::{Guarded, ModelErrorKind, ModelEvent, ModelRequest, Usage, collect},
    run::{Failure, Limits, RequestPlan},
    runner::{InputRefusal, NextRequest, RunEvent, UserInput},
    testing::{ScriptedModel, ScriptedResponse},
    tool, toolset,
};

/// Look up a word.
#[tool(read_only)]
fn look_up(word: String) -> String {
    word
}

async fn without_secrets(answer: String) -> Result<(), String> {
    if answer.contains("secret") {
        return Err("it tells a secret".to_owned());
    }
    Ok(())
}

fn usage(tokens: u64) -> Usage {
    Usage::new(tokens, 1)
}

fn says(text: &str) -> ModelResponse {
    ModelResponse::from_text(text).with_usage(usage(10))
}

fn request() -> ModelRequest {
    ModelRequest::new([Message::user("What is it?")])
}

/// Asks in both ways, each with a model of its own that follows the script.
async fn asked(
    script: Vec<ScriptedResponse>,
    guard: impl Fn(Guarded<ScriptedModel>) -> Guarded<ScriptedModel>,
) -> (Result<ModelResponse, ModelError>, Vec<ModelRequest>) {
    let whole = ScriptedModel::new(script.clone());
    let streamed = ScriptedModel::new(script);
    let one = guard(Guarded::new(whole.clone()))
        .complete(&request())
        .await;
    let guarded = guard(Guarded::new(streamed.clone()));
    let other = collect(guarded.stream(&request())).await;
    let other = other.map_err(|mut error| {
        // Of a stream there is always a beginning.
        error.partial = error
            .partial
            .filter(|partial| **partial != ModelResponse::default());
        error
    });
    assert_eq!(one, other, "streamed or not");
    assert_eq!(whole.requests(), streamed.requests());
    (one, whole.requests())
}

#[tokio::test]
async fn an_answer_that_is_refused_is_asked_for_again_with_the_reason() {
    let script = vec![
        says("The secret is 7.").into(),
        says("I cannot tell.").into(),
    ];
    let (answer, requests) = asked(script, |model| model.check_answer(without_secrets)).await;
    let answer = answer.unwrap();
    assert_eq!(answer.text, "I cannot tell.");
    assert_eq!(answer.requests, 2);
    assert_eq!(answer.usage, Some(Usage::new(20, 2)));
    let [warning] = &answer.warnings[..] else {
        panic!("{:?}", answer.warnings);
    };
    assert_eq!(warning.code, "answer_refused");
    assert!(warning.message.contains("it tells a secret"), "{warning:?}");
    // What was refused is not sent back: another model might get it.
    let [question, Message::User(note)] = &requests[1].messages[..] else {
        panic!("{:?}", requests[1].messages);
    };
    assert_eq!(*question, Message::user("What is it?"));
    let [Part::Text(note)] = &note.parts[..] else {
        panic!("{note:?}");
    };
    assert!(note.contains("it tells a secret"), "{note}");
}

#[tokio::test]
async fn after_its_corrections_nobody_has_read_an_answer() {
    for corrections in 0..3 {
        let script: Vec<ScriptedResponse> = (0..5).map(|_| says("secret").into()).collect();
        let (answer, requests) = asked(script, |model| {
            model.check_answer(without_secrets).corrections(corrections)
        })
        .await;
        let error = answer.unwrap_err();
        assert_eq!(error.kind, ModelErrorKind::ContentFilter);
        assert!(error.message.contains("it tells a secret"), "{error}");
        let made = corrections + 1;
        assert_eq!(requests.len(), made as usize);
        let spent = error.partial.expect("it says what was paid");
        assert_eq!((spent.text.as_str(), spent.requests), ("", made));
        assert_eq!(
            spent.usage,
            Some(Usage::new(u64::from(10 * made), u64::from(made)))
        );
    }
}

#[tokio::test]
async fn no_piece_of_a_refused_answer_is_in_the_events_of_a_run() {
    let model = ScriptedModel::new([says("My secret is 7."), says("I cannot tell.")]);
    let model = Guarded::new(model).check_answer(without_secrets);
    let runner = Runner::builder(model).build().unwrap();
    let mut handle = runner.start("What is it?");
    let mut seen = Vec::new();
    while let Some(event) = handle.next().await {
        seen.push(format!("{event:?}"));
        if let RunEvent::Delta(ModelEvent::Text(text)) = event {
            assert_eq!(text, "I cannot tell.");
        }
    }
    assert!(!seen.concat().contains("secret is"), "{seen:?}");
    let outcome = handle.outcome().await.unwrap();
    assert_eq!(
        (outcome.text.as_str(), outcome.requests),
        ("I cannot tell.", 2)
    );
}

#[tokio::test]
async fn what_the_user_says_is_checked_once() {
    let seen: Arc<Mutex<Vec<UserMessage>>> = Arc::default();
    let model = ScriptedModel::new([
        ModelResponse::from_calls([ToolCall::new("1", "look_up", r#"{"word": "a"}"#)]),
        ModelResponse::from_calls([ToolCall::new("2", "look_up", r#"{"word": "b"}"#)]),
        ModelResponse::from_text("Both."),
        ModelResponse::from_text("Again."),
    ]);
    let checked = Arc::clone(&seen);
    let runner = Runner::builder(model)
        .check_input(move |UserInput { message, .. }| {
            let notes = checked.lock();
            notes.expect("no check panics").push(message.clone());
            async { Ok::<_, InputRefusal>(message) }
        })
        .tools(toolset![look_up])
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    runner
        .request("Look up both.")
        .within(&mut conversation)
        .run()
        .await
        .unwrap();
    runner
        .request("And again.")
        .within(&mut conversation)
        .run()
        .await
        .unwrap();
    let seen = seen.lock().unwrap();
    assert_eq!(seen[..], ["Look up both.".into(), "And again.".into()]);
}

#[tokio::test]
async fn notes_of_the_application_are_not_what_the_user_says() {
    let call = || ModelResponse::from_calls([ToolCall::new("1", "look_up", r#"{"word": "a"}"#)]);
    let model = ScriptedModel::new([call(), call(), ModelResponse::from_text("That is all.")]);
    let planned = async |_: NextRequest| RequestPlan::new().with_instructions("Be quick.");
    let about_words = async |UserInput { message, .. }| match &*text_of(&message.parts) {
        "Look it up." => Ok(message),
        other => Err(format!("That is not about words: {other}")),
    };
    let runner = Runner::builder(model.clone())
        .check_input(about_words)
        .tools(toolset![look_up])
        .limits(Limits::default().with_max_rounds(2))
        .before_request(planned)
        .build()
        .unwrap();
    let outcome = runner.run("Look it up.").await.expect("nothing is refused");
    assert_eq!(outcome.text, "That is all.");
    let said = |request: &ModelRequest| {
        let last = request.messages.last().cloned();
        let Some(Message::User(message)) = last else {
            panic!("{last:?}");
        };
        assert!(request.is_note(&message));
        text_of(&message.parts)
    };
    let requests = model.requests();
    assert_eq!(said(&requests[0]), "Be quick.");
    assert!(said(&requests[2]).contains("Do not call any more tools"));
}

#[tokio::test]
async fn checks_run_in_their_order_up_to_the_first_that_refuses() {
    let later = Arc::new(AtomicUsize::new(0));
    let (first, second) = (Arc::clone(&later), Arc::clone(&later));
    let script = vec![says("a").into(), says("b").into()];
    let (answer, _) = asked(script, move |model| {
        let (first, second) = (Arc::clone(&first), Arc::clone(&second));
        model
            .check_answer(move |text: String| {
                first.fetch_add(1, Relaxed);
                async move { if text == "a" { Err("no a") } else { Ok(()) } }
            })
            .check_answer(move |text: String| {
                second.fetch_add(100, Relaxed);
                async move { if text == "a" { Err("never") } else { Ok(()) } }
            })
    })
    .await;
    assert_eq!(answer.unwrap().text, "b");
    // Twice each, streamed and not: the second check has not seen the refused answer.
    assert_eq!(later.load(Relaxed), 2 * (2 + 100));
}

#[tokio::test]
async fn a_check_that_panics_refuses() {
    fn broken(text: String) -> std::future::Ready<Result<(), String>> {
        let length = text.len();
        drop(text);
        panic!("cannot judge {length}")
    }
    let (answer, requests) = asked(vec![says("a").into()], |model| {
        model.check_answer(broken).corrections(0)
    })
    .await;
    let error = answer.unwrap_err();
    // A panic may quote what the check was given.
    assert!(error.message.ends_with("its check panicked"), "{error}");
    assert_eq!(requests.len(), 1);
}

#[tokio::test]
async fn an_error_of_the_model_says_what_refused_answers_cost() {
    let busy = ModelError::new(ModelErrorKind::Overloaded, "busy");
    let script = vec![says("secret").into(), busy.into()];
    let (answer, _) = asked(script, |model| model.check_answer(without_secrets)).await;
    let error = answer.unwrap_err();
    assert_eq!(error.kind, ModelErrorKind::Overloaded);
    let spent = error.partial.expect("it says what was paid");
    assert_eq!((spent.requests, spent.usage), (2, Some(usage(10))));
}

#[tokio::test]
async fn a_run_fails_with_the_reason() {
    let model = ScriptedModel::new([says("secret"), says("secret")]);
    let model = Guarded::new(model).check_answer(without_secrets);
    let error = Runner::builder(model)
        .build()
        .unwrap()
        .run("What is it?")
        .await
        .unwrap_err();
    let Failure::Model(failure) = &error.failure else {
        panic!("{error}");
    };
    assert_eq!(failure.kind, ModelErrorKind::ContentFilter);
    assert_eq!(
        (error.outcome.text.as_str(), error.outcome.requests),
        ("", 2)
    );
    assert_eq!(error.outcome.usage, Usage::new(20, 2));
}
