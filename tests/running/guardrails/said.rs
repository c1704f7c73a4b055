//! What of a response a check is asked about, and what is left of one that it refuses or cannot see.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use serde_json::json;
use toolwright::{
    ChatModel, Message, ModelError, ModelResponse, Runner, ToolCall,
    message::{Citation, Image, Opaque, Part, ProviderActivity, Source, ToolActivity, text_of},
    model::{FinishReason, Guarded, ModelErrorKind, ModelRequest, ModelStream, Usage, Warning},
    testing::ScriptedModel,
    tool::BoxFuture,
    toolset,
};

use super::{asked, look_up, request, says, usage, without_secrets};

#[tokio::test]
async fn calls_of_a_refused_response_do_not_run() {
    let call = |word: &str| {
        let arguments = format!(r#"{{"word": "{word}"}}"#);
        Part::Call(ToolCall::new("1", "look_up", arguments))
    };
    let beside = ModelResponse::new(vec![Part::Text("secret".into()), call("a")]);
    let script = [
        beside,
        ModelResponse::new(vec![call("b")]),
        ModelResponse::new(vec![call("secret")]),
        says("A fjord."),
    ];
    let model = ScriptedModel::new(script);
    let guarded = Guarded::new(model.clone()).check_answer(without_secrets);
    let runner = Runner::builder(guarded)
        .tools(toolset![look_up])
        .build()
        .unwrap();
    let outcome = runner.run("What is a fjord?").await.unwrap();
    assert_eq!(outcome.text, "A fjord.");
    let rounds: Vec<_> = outcome.tool_rounds().collect();
    assert_eq!(rounds.len(), 1);
    assert_eq!(rounds[0].reply, [call("b")]);
    let requests = model.requests();
    assert_eq!(requests.len(), 4);
    let [_, Message::Assistant(answered), Message::User(note)] = &requests[3].messages[..] else {
        panic!("{:?}", requests[3].messages);
    };
    assert_eq!(
        (answered.tool_rounds.len(), answered.text()),
        (1, String::new())
    );
    assert!(text_of(&note.parts).contains("a call was refused"));
}

/// What a check is asked about, in order: each kind of text once, and again as it is read where it has escapes.
#[tokio::test]
async fn a_check_is_asked_about_each_kind_of_text() {
    let mut citation = Citation::new(Source::new("https://a.b").with_title("A"));
    citation.quote = "quoted".into();
    let mut search = ToolActivity::new("web_search");
    search.input = "fjord".into();
    let activity = |activity| Part::Activity(Box::new(activity));
    let mut response = ModelResponse::new(vec![
        Part::Reasoning("They ".into()),
        Part::Text("One ".into()),
        activity(ProviderActivity::Tool(search)),
        Part::Text("moment.".into()),
        activity(ProviderActivity::Citation(citation)),
        Part::Reasoning("ask.".into()),
        Part::Opaque(Opaque {
            provider: "codec".into(),
            data: json!({"signature": "x"}),
        }),
        Part::Call(ToolCall::new("1", "look_up", r#"{"word": "\u0061\"b"}"#)),
    ]);
    response.model = Some("small".into());
    response.raw_finish_reason = Some("tool_calls".into());
    response.warnings = vec![Warning::new("odd", "hm")];
    response.metadata = json!({"id": 7}).as_object().unwrap().clone();
    let asked_about = Arc::<Mutex<Vec<String>>>::default();
    let seen = Arc::clone(&asked_about);
    let guarded = Guarded::new(ScriptedModel::new([response.clone()])).check_answer(move |text| {
        seen.lock().unwrap().push(text);
        async { Ok::<_, String>(()) }
    });
    assert_eq!(guarded.complete(&request()).await.unwrap(), response);
    let expected = [
        "One moment.",
        "They ask.",
        "1\nlook_up\n{\"word\": \"\\u0061\\\"b\"}",
        "1\nlook_up\n{\"word\": \"a\"b\"}",
        "web_search\nfjord\nquoted\nhttps://a.b\nA",
        "codec\n{\"signature\":\"x\"}",
        "small\ntool_calls\nodd\nhm\nid\n7",
    ];
    assert_eq!(asked_about.lock().unwrap()[..], expected);
}

#[tokio::test]
async fn what_a_check_cannot_see_is_withheld_and_said_so() {
    let image = || Part::Image(Image::from_url("https://a.b/c.png"));
    let beside = ModelResponse::new(vec![image(), Part::Text("A cat.".into())]);
    let alone = ModelResponse::new(vec![image()]).with_usage(usage(10));
    for (responses, text, warning) in [
        (vec![beside], "A cat.", "withheld"),
        (
            vec![alone, says("No image.")],
            "No image.",
            "answer_refused",
        ),
    ] {
        let model = Whole(Arc::new(Mutex::new(responses.into())));
        let guarded = Guarded::new(model).check_answer(without_secrets);
        let response = guarded.complete(&request()).await.unwrap();
        assert_eq!(response.parts, [Part::Text(text.into())]);
        assert_eq!(response.warnings[0].code, warning);
    }
    // Without a check nothing is.
    let model = Whole(Arc::new(Mutex::new(
        [ModelResponse::new(vec![image()])].into(),
    )));
    let response = Guarded::new(model).complete(&request()).await.unwrap();
    assert_eq!(response.parts, [image()]);
}

/// A model that is not streamed.
struct Whole(Arc<Mutex<VecDeque<ModelResponse>>>);

impl ChatModel for Whole {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
        unreachable!("nobody streams")
    }

    fn complete<'a>(
        &'a self,
        _: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        let response = self.0.lock().expect("nothing panics").pop_front();
        Box::pin(async { Ok(response.expect("there is one for each request")) })
    }
}

#[tokio::test]
async fn a_turn_that_was_paused_is_checked_with_its_beginning() {
    let paused = ModelResponse::from_text("My sec").with_finish_reason(FinishReason::Paused);
    let model = ScriptedModel::new([paused, says("ret."), says("onder word.")]);
    let guarded = Guarded::new(model).check_answer(without_secrets);
    let outcome = Runner::builder(guarded).build().unwrap().run("Well?").await;
    assert_eq!(outcome.unwrap().conversation.text(), "onder word.");
}

#[tokio::test]
async fn an_error_keeps_what_it_cost_and_what_to_do_and_nothing_of_the_response() {
    let mut partial = says("sec");
    partial.model = Some("small".into());
    let usage = partial.usage.as_mut().unwrap();
    usage.raw = json!({"tier": "x"});
    let error = ModelError::new(ModelErrorKind::Transport, "it broke off")
        .with_status(200)
        .with_code("gone")
        .with_body("data: sec")
        .with_partial(partial);
    let (answer, _) = asked(vec![error.clone().into()], |model| {
        model.check_answer(without_secrets)
    })
    .await;
    let mut left = ModelResponse::default().with_usage(Usage::new(10, 1));
    left.model = Some("small".into());
    let mut expected = error.with_partial(left);
    expected.body = None;
    assert_eq!(answer.unwrap_err(), expected);

    let quotes = ModelError::new(ModelErrorKind::MalformedResponse, "no JSON: `sec`");
    let model = Guarded::new(ScriptedModel::new([quotes])).check_answer(without_secrets);
    let error = model.complete(&request()).await.unwrap_err();
    assert_eq!(error.kind, ModelErrorKind::MalformedResponse);
    assert!(
        error.retryable && !error.message.contains("sec`"),
        "{error}"
    );
}

#[tokio::test]
async fn a_turn_that_was_paused_twice_is_checked_with_all_of_it() {
    let paused = |text| ModelResponse::from_text(text).with_finish_reason(FinishReason::Paused);
    let model = ScriptedModel::new([
        paused("My sec"),
        paused("r"),
        says("et."),
        says("ious word."),
    ]);
    let guarded = Guarded::new(model).check_answer(without_secrets);
    let runner = Runner::builder(guarded).build().expect("is sound");
    let outcome = runner.run("What is it?").await.expect("it is answered");
    assert!(!outcome.text.contains("secret"), "{}", outcome.text);
    assert_eq!(outcome.warnings.len(), 1, "{:?}", outcome.warnings);
}

#[tokio::test]
async fn escapes_of_escapes_are_refused_after_a_few_readings() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let text = r"\u005c".to_owned() + &"u005c".repeat(10_000);
    let model = ScriptedModel::new([says(&text), says("Nothing.")]);
    let guarded = Guarded::new(model).check_answer(move |_: String| {
        count.fetch_add(1, Relaxed);
        async { Ok::<_, String>(()) }
    });
    let answer = guarded.complete(&request()).await.expect("it is answered");
    assert_eq!(answer.text, "Nothing.");
    assert!(asked.load(Relaxed) < 30, "{} checks", asked.load(Relaxed));
}

#[tokio::test]
async fn a_line_that_goes_on_hides_nothing() {
    let call = ToolCall::new("1", "look_up", "{\"word\": \"sec\\\nret\"}");
    let model = ScriptedModel::new([ModelResponse::from_calls([call]), says("Nothing.")]);
    let guarded = Guarded::new(model).check_answer(without_secrets);
    let answer = guarded.complete(&request()).await.expect("it is answered");
    assert_eq!(answer.text, "Nothing.");
}
