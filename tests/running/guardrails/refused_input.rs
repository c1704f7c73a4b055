//! What a check of the input refuses is checked once, is sent to no model, and the conversation goes on.

use std::sync::{Arc, Mutex, PoisonError};

use toolwright::{
    Conversation, Message, ModelError, ModelResponse, Runner, ToolCall,
    message::text_of,
    model::{ModelErrorKind, ModelRequest, Usage},
    run::{AnswerMeans, ContextWindow, Finish, Limits, RunOutcome},
    runner::{Agent, InputRefusal, RunnerBuilder, UserInput},
    store::{ConversationId, ConversationVersion, MemoryStore, Scope, Store},
    testing::{ScriptedModel, ScriptedResponse},
    tool, toolset,
};

/// Look up a word.
#[tool(read_only)]
fn look_up(word: String) -> String {
    word.repeat(2_000)
}

/// What the checks of a test were given.
#[derive(Clone, Default)]
struct Checked(Arc<Mutex<Vec<String>>>);

impl Checked {
    /// A runner that takes no question about poison.
    fn guard(&self, runner: RunnerBuilder) -> RunnerBuilder {
        let checked = self.clone();
        runner.check_input(move |UserInput { message, .. }| {
            let text = text_of(&message.parts);
            let refused = text.contains("poison");
            let mut checked = checked.0.lock().unwrap_or_else(PoisonError::into_inner);
            checked.push(text);
            async move {
                if refused {
                    Err("Ask about something else.")
                } else {
                    Ok(message)
                }
            }
        })
    }

    fn texts(&self) -> Vec<String> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

fn says(text: &str) -> ScriptedResponse {
    ModelResponse::from_text(text)
        .with_usage(Usage::new(10, 1))
        .into()
}

fn looks_up(word: &str) -> ScriptedResponse {
    let arguments = format!(r#"{{"word": "{word}"}}"#);
    ModelResponse::from_calls([ToolCall::new("1", "look_up", arguments)]).into()
}

fn builder(model: impl toolwright::ChatModel) -> RunnerBuilder {
    Runner::builder(model).tools(toolset![look_up])
}

/// What the user says in a request.
fn said(request: &ModelRequest) -> Vec<String> {
    let texts = request.messages.iter().filter_map(|message| match message {
        Message::User(message) if !request.is_note(message) => Some(text_of(&message.parts)),
        _ => None,
    });
    texts.collect()
}

/// No request has what was refused, in whatever form.
fn assert_unsent(model: &ScriptedModel) {
    let requests = format!("{:?}", model.requests());
    assert!(!requests.contains("poison"), "{requests}");
}

fn assert_refused(outcome: &RunOutcome) {
    assert_eq!(outcome.finish, Finish::InputRefused);
    assert_eq!(outcome.text, "Ask about something else.");
    assert_eq!((outcome.model_calls, outcome.requests), (0, 0));
    let whole = format!("{outcome:?}");
    assert!(!whole.contains("poison"), "{whole}");
}

#[tokio::test]
async fn the_conversation_goes_on_and_what_was_refused_is_checked_once() {
    let (model, checked) = (
        ScriptedModel::new([says("Hi."), says("A fjord."), says("Bye.")]),
        Checked::default(),
    );
    let runner = checked.guard(builder(model.clone())).build().unwrap();
    let mut conversation = Conversation::new();
    runner
        .request("Hello.")
        .within(&mut conversation)
        .run()
        .await
        .unwrap();
    for question in ["Which poison?", "No poison? Which one?"] {
        let outcome = runner
            .request(question)
            .within(&mut conversation)
            .run()
            .await;
        assert_refused(&outcome.unwrap());
    }
    let outcome = runner
        .request("What is Oslo by?")
        .within(&mut conversation)
        .run()
        .await;
    assert_eq!(outcome.unwrap().text, "A fjord.");
    runner
        .request("Bye.")
        .within(&mut conversation)
        .run()
        .await
        .unwrap();
    let questions = [
        "Hello.",
        "Which poison?",
        "No poison? Which one?",
        "What is Oslo by?",
        "Bye.",
    ];
    assert_eq!(checked.texts(), questions);
    assert_unsent(&model);
    assert_eq!(
        said(&model.requests()[2]),
        [
            "Hello.",
            InputRefusal::STORED,
            InputRefusal::STORED,
            "What is Oslo by?",
            "Bye."
        ]
    );
    // The conversation has all of it, but what was refused.
    let said = conversation
        .messages()
        .iter()
        .filter(|message| matches!(message, Message::User(_)));
    assert_eq!(said.count(), questions.len());
    let stored = serde_json::to_string(&conversation).unwrap();
    let read: Conversation = serde_json::from_str(&stored).unwrap();
    assert_eq!(read, conversation);
    assert!(!stored.contains("poison"), "{stored}");
}

#[tokio::test]
async fn it_is_not_checked_again_in_another_process() {
    let store = MemoryStore::new();
    let ask = |checked: &Checked, model: &ScriptedModel, question: &str| {
        let runner = checked
            .guard(builder(model.clone()))
            .store("support", store.clone());
        let request = runner.build().unwrap().request(question);
        request.within(ConversationId::new("chat")).run()
    };
    let (model, checked) = (
        ScriptedModel::new::<ScriptedResponse>([]),
        Checked::default(),
    );
    assert_refused(&ask(&checked, &model, "Which poison?").await.unwrap());
    let (model, checked) = (ScriptedModel::new([says("A fjord.")]), Checked::default());
    let outcome = ask(&checked, &model, "What is Oslo by?").await.unwrap();
    assert_eq!(outcome.text, "A fjord.");
    assert_eq!(checked.texts(), ["What is Oslo by?"]);
    assert_eq!(
        said(&model.requests()[0]),
        [InputRefusal::STORED, "What is Oslo by?"]
    );
    let chat = ConversationId::new("chat");
    let versions = store
        .conversation(Scope::All, &chat, 0, None)
        .await
        .unwrap();
    let conversation = ConversationVersion::join(&versions).unwrap();
    assert_eq!(conversation, outcome.conversation);
}

#[tokio::test]
async fn a_message_that_waits_beside_a_refused_one_is_sent_with_the_next() {
    let failed = ModelError::new(ModelErrorKind::InvalidRequest, "not today");
    let model = ScriptedModel::new([failed.into(), says("Both.")]);
    let checked = Checked::default();
    let runner = checked.guard(builder(model.clone())).build().unwrap();
    let mut conversation = Conversation::new();
    runner
        .request("What is Oslo by?")
        .within(&mut conversation)
        .run()
        .await
        .unwrap_err();
    let outcome = runner
        .request("Which poison?")
        .within(&mut conversation)
        .run()
        .await;
    assert_refused(&outcome.unwrap());
    runner
        .request("And Bergen?")
        .within(&mut conversation)
        .run()
        .await
        .unwrap();
    assert_unsent(&model);
    assert_eq!(
        said(&model.requests()[1]),
        ["What is Oslo by?", InputRefusal::STORED, "And Bergen?"]
    );
    let poison = checked
        .texts()
        .into_iter()
        .filter(|text| text.contains("poison"));
    assert_eq!(poison.count(), 1);
}

#[tokio::test]
async fn messages_that_are_pushed_between_rounds_are_refused_one_by_one() {
    let model = ScriptedModel::new([looks_up("a"), says("Fine.")]);
    let checked = Checked::default();
    let runner = checked.guard(builder(model.clone())).build().unwrap();
    let mut handle = runner.start("Look it up.");
    let control = handle.control();
    let mut pushed = false;
    while handle.next().await.is_some() {
        if !pushed {
            pushed = true;
            for message in ["First poison.", "Be quick.", "Then poison."] {
                control.push(message).unwrap();
            }
        }
    }
    let outcome = handle.outcome().await.unwrap();
    assert_eq!(outcome.text, "Fine.");
    assert_eq!((outcome.pushed_messages, outcome.unread.len()), (1, 0));
    let warnings = outcome.warnings.iter();
    let warnings: Vec<_> = warnings.map(|one| (&*one.code, &*one.message)).collect();
    assert_eq!(
        warnings,
        [("input_refused", "Ask about something else."); 2]
    );
    assert_unsent(&model);
    assert_eq!(said(&model.requests()[1]), ["Look it up.", "Be quick."]);
    let poison = checked
        .texts()
        .into_iter()
        .filter(|text| text.contains("poison"));
    assert_eq!(poison.count(), 2);
}

/// The model is shown its answer, and then what was said since: that is new.
#[tokio::test]
async fn a_message_that_is_pushed_beside_an_unfit_answer_is_checked() {
    #[derive(Debug, serde::Deserialize, toolwright::ToolInput)]
    struct Word {
        word: String,
    }

    for means in [
        AnswerMeans::Text,
        AnswerMeans::Schema,
        AnswerMeans::Tool("give".into()),
    ] {
        let model = ScriptedModel::new([says("no JSON"), says(r#"{"word": "a"}"#)]);
        let checked = Checked::default();
        let runner = checked.guard(builder(model.clone().with_answer_schemas()));
        let runner = runner.answer_means(means.clone()).build().unwrap();
        let handle = runner.request("Which word?").answer_as::<Word>().start();
        // It waits for the second request, which the first answer leads to.
        handle.push("A word for poison.").unwrap();
        let answer = handle.answer().await.unwrap();
        assert_eq!(answer.value.word, "a");
        assert_eq!(
            checked.texts(),
            ["Which word?", "A word for poison."],
            "{means:?}"
        );
        assert_unsent(&model);
    }
}

#[tokio::test]
async fn a_message_is_refused_in_the_last_request_at_a_limit() {
    let model = ScriptedModel::new([looks_up("a"), says("Fine."), says("On.")]);
    let checked = Checked::default();
    let limits = Limits::default().with_max_rounds(1);
    let runner = checked
        .guard(builder(model.clone()))
        .limits(limits)
        .build()
        .unwrap();
    let mut handle = runner.start("Look it up.");
    handle.push("And poison.").unwrap();
    while handle.next().await.is_some() {}
    let outcome = handle.outcome().await;
    let conversation = match outcome {
        Ok(outcome) => outcome.conversation,
        Err(error) => error.outcome.conversation.clone(),
    };
    let mut conversation = conversation;
    runner
        .request("Go on.")
        .within(&mut conversation)
        .run()
        .await
        .unwrap();
    assert_unsent(&model);
}

/// What is refused takes no place that is counted anew: neither in the view, nor in the summary, nor in what is stored.
#[tokio::test]
async fn a_conversation_that_is_shortened_leaves_it_out_as_well() {
    let replies = (0..60).map(|number| match number % 3 {
        0 => looks_up("fjord"),
        _ => says("A fjord."),
    });
    let (model, checked) = (ScriptedModel::new(replies), Checked::default());
    let window = ContextWindow::new(4_000).with_summary();
    let runner = checked
        .guard(builder(model.clone()))
        .context_window(window)
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    for turn in 0..8 {
        let outcome = runner
            .request("Which poison?")
            .within(&mut conversation)
            .run()
            .await;
        assert_refused(&outcome.unwrap());
        let question = format!("Question {turn}, {}", "please. ".repeat(400));
        runner
            .request(question)
            .within(&mut conversation)
            .run()
            .await
            .unwrap();
        let stored = serde_json::to_string(&conversation).unwrap();
        conversation = serde_json::from_str(&stored).expect("is read again");
    }
    assert!(
        conversation
            .compaction()
            .is_some_and(|compaction| compaction.left_out > 0)
    );
    assert_unsent(&model);
    assert_eq!(checked.texts().len(), 16);
}

#[tokio::test]
async fn agents_that_go_on_are_not_sent_it() {
    let checked = Checked::default();
    let transfer = ToolCall::new("1", "transfer_to_billing", r#"{"reason": "money"}"#);
    let main = ScriptedModel::new([ModelResponse::from_calls([transfer])]);
    let billing = ScriptedModel::new([says("Paid."), says("Again.")]);
    let other = Runner::builder(billing.clone()).build().unwrap();
    let runner = checked
        .guard(builder(main.clone()))
        .agent(Agent::new("billing", "Knows about money.", other))
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    runner
        .request("Which poison?")
        .within(&mut conversation)
        .run()
        .await
        .unwrap();
    runner
        .request("Pay.")
        .within(&mut conversation)
        .run()
        .await
        .unwrap();
    runner
        .request("Pay again.")
        .within(&mut conversation)
        .run()
        .await
        .unwrap();
    assert_unsent(&main);
    assert_unsent(&billing);
    assert_eq!(billing.requests().len(), 2);
}
