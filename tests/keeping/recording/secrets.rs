//! Secrets are not written.

use toolwright::{
    ModelError, ModelResponse, Runner,
    model::{ModelErrorKind, ModelSettings},
    redact::{Secrets, redact_fn},
    testing::{ScriptedModel, ScriptedResponse},
    tool, toolset,
};
use toolwright_recording::Recording;

use super::{Folder, call};

const KEY: &str = "sk-proj-abcdefghij0123456789";
const OWN: &str = "Rumpelstilzchen";

/// Sign in to a service.
#[tool(read_only)]
async fn sign_in(user: String, password: String) -> String {
    format!(
        "Authorization: Bearer abcdef0123456789 for {user} with {}",
        password.len()
    )
}

fn run(model: Recording) -> Runner {
    let settings = ModelSettings::new().with_extra("api_key", "4711-0815");
    Runner::builder(model)
        .system(format!("The key is {KEY}. The name is {OWN}."))
        .settings(settings)
        .tools(toolset![sign_in])
        .build()
        .expect("it can be built")
}

#[tokio::test(start_paused = true)]
async fn secrets_are_not_in_the_file() {
    let folder = Folder::new("secrets");
    let broken = ModelError::new(ModelErrorKind::Overloaded, format!("wrong key {KEY}")).with_body(
        &format!("{{\"password\": \"hunter2\", \"text\": \"{OWN}\"}}"),
    );
    let arguments = r#"{"user": "Ada", "password": "hunter2"}"#;
    let model = ScriptedModel::new([
        ScriptedResponse::from(broken),
        ModelResponse::from_calls([call("a", "sign_in", arguments)]).into(),
        ModelResponse::from_text(format!("Done, {OWN}.")).into(),
    ]);
    let recording = Recording::record(folder.file(), model).expect("can be written");
    let recording = recording.with_redaction(Secrets::new([OWN]));
    let outcome = run(recording.clone())
        .run("Sign in.")
        .await
        .expect("answers");
    assert!(outcome.text.contains(OWN), "the run itself is not redacted");
    recording.finish().expect("is written");
    let text = folder.text();
    for secret in [KEY, OWN, "hunter2", "4711-0815", "abcdef0123456789"] {
        assert!(!text.contains(secret), "{secret} is in {text}");
    }
    assert!(
        text.contains(r#"{\"user\": \"Ada\", \"password\": \"[redacted]\"}"#),
        "{text}"
    );

    // What is compared is redacted as well: with its length the result says another one.
    let replay = Recording::replay(folder.file()).expect("it is there");
    let replay = replay.with_redaction(Secrets::new([OWN]));
    let shown = run(replay)
        .run("Sign in.")
        .await
        .expect_err("the password is shorter")
        .to_string();
    assert!(
        shown.contains("- Authorization: Bearer [redacted] for Ada with 7\n+ "),
        "{shown}"
    );
}

#[tokio::test]
async fn what_differs_each_time_is_taken_out() {
    let folder = Folder::new("times");
    let at = |time: u32| format!("It is {time} o'clock. Say so.");
    let without_times = || {
        redact_fn(|text| match text.find(" o'clock") {
            Some(place) => format!("It is [time]{}", &text[place..]).into(),
            None => text.into(),
        })
    };
    let model = ScriptedModel::new([ModelResponse::from_text("It is.")]);
    let recording = Recording::record(folder.file(), model).expect("can be written");
    let live = Runner::builder(recording.clone())
        .system(at(9))
        .build()
        .expect("it can be built");
    live.run("The time?").await.expect("answers");
    recording.finish().expect("is written");
    // Also of a file that was recorded without.
    let replay = Recording::replay(folder.file())
        .expect("it is there")
        .with_redaction(without_times());
    let later = Runner::builder(replay.clone())
        .system(at(17))
        .build()
        .expect("it can be built");
    later.run("The time?").await.expect("answers");
    replay.finish().expect("it is the same run");
}

#[tokio::test]
async fn what_cannot_be_redacted_is_not_written() {
    let folder = Folder::new("panics");
    let model = ScriptedModel::new([ModelResponse::from_text("It is.")]);
    let recording = Recording::record(folder.file(), model).expect("can be written");
    let recording = recording.with_redaction(redact_fn(|_| panic!("not today")));
    let live = Runner::builder(recording.clone())
        .build()
        .expect("it can be built");
    live.run("The time?")
        .await
        .expect("a recording is no reason to fail");
    let error = recording
        .finish()
        .expect_err("it was not written")
        .to_string();
    assert!(error.ends_with("a redaction panicked"), "{error}");
    assert!(!folder.file().exists());
}
