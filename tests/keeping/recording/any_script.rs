//! Whatever a model says, its replay is the same run.

use serde_json::json;
use toolwright::{
    ModelError, ModelResponse,
    message::{Opaque, Part},
    model::{FinishReason, ModelErrorKind, Usage, Warning},
    run::{RunError, RunOutcome},
    testing::{ScriptedModel, ScriptedResponse},
};
use toolwright_recording::Recording;

use super::{Folder, QUESTION, call, runner, tools};

/// Numbers that are the same in every test run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).expect("it is small")
    }

    fn of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }

    fn part(&mut self) -> Part {
        let text = self.of(&["", "It is sunny.\n", "\u{202e}ä🦀", "{\"a\": [1]}", " "]);
        match self.below(7) {
            0 | 1 => Part::Text(text.to_owned()),
            2 => Part::Reasoning(text.to_owned()),
            3 => Part::Opaque(Opaque {
                provider: "some".to_owned(),
                data: json!({"signature": text, "n": 1e-7, "big": u64::MAX}),
            }),
            _ => {
                let id = self.of(&["", "a", "b"]);
                let tool = self.of(&["get_weather", "get_time", "unknown", ""]);
                let arguments = self.of(&[
                    r#"{"city": "Oslo"}"#,
                    r#"{"city":"Atlantis"}"#,
                    r#"{"city": 7}"#,
                    "{\"city",
                    "",
                ]);
                Part::Call(call(id, tool, arguments))
            }
        }
    }

    fn response(&mut self) -> ModelResponse {
        let parts = (0..self.below(5)).map(|_| self.part()).collect();
        let mut response = ModelResponse::new(parts);
        if self.below(3) == 0 {
            response = response.with_finish_reason(match self.below(5) {
                0 => FinishReason::Length,
                1 => FinishReason::Refusal,
                2 => FinishReason::Paused,
                3 => FinishReason::MalformedCall,
                _ => FinishReason::Other,
            });
        }
        if self.below(2) == 0 {
            let mut usage = Usage::new(3, self.0 % 100);
            usage.raw = json!({"prompt_tokens": 3});
            response = response.with_usage(usage);
        }
        if self.below(4) == 0 {
            response.refusal = Some("No.".to_owned());
            response.warnings = vec![Warning::new("some", "It is worth a look.")];
            response.metadata.insert("id".to_owned(), json!("x"));
            response.model = Some("some-model".to_owned());
            response = response.with_requests(2);
        }
        response
    }

    fn reply(&mut self) -> ScriptedResponse {
        if self.below(5) > 0 {
            return self.response().into();
        }
        let kind = match self.below(4) {
            0 => ModelErrorKind::Overloaded,
            1 => ModelErrorKind::Transport,
            2 => ModelErrorKind::InvalidRequest,
            _ => ModelErrorKind::ContextTooLong,
        };
        let error = ModelError::new(kind, "it did not work").with_body("{\"error\": 1}");
        match self.below(2) {
            0 => error.into(),
            _ => error.with_partial(self.response()).into(),
        }
    }
}

/// What a run leaves, whether it failed or not.
fn left(outcome: Result<RunOutcome, RunError>) -> String {
    let outcome = outcome.unwrap_or_else(|error| *error.outcome);
    let conversation = serde_json::to_string(&outcome.conversation).expect("serialises");
    let RunOutcome {
        finish,
        text,
        rounds,
        usage,
        requests,
        warnings,
        ..
    } = outcome;
    format!("{finish:?} {text} {conversation} {rounds} {usage:?} {requests} {warnings:?}")
}

async fn run(model: Recording, streams: bool) -> String {
    let runner = runner(model, tools());
    if !streams {
        return left(runner.run(QUESTION).await);
    }
    let mut handle = runner.start(QUESTION);
    while handle.next().await.is_some() {}
    left(handle.outcome().await)
}

#[tokio::test(start_paused = true)]
async fn whatever_a_model_says_is_replayed() {
    let folder = Folder::new("any");
    let mut numbers = Numbers(0x5eed);
    for case in 0..300 {
        let script: Vec<_> = (0..8).map(|_| numbers.reply()).collect();
        for streams in [false, true] {
            let model = ScriptedModel::new(script.clone());
            let recording = Recording::record(folder.file(), model).expect("can be written");
            let live = run(recording.clone(), streams).await;
            recording.finish().expect("is written");
            let replay = Recording::replay(folder.file()).expect("it is there");
            assert_eq!(
                run(replay.clone(), streams).await,
                live,
                "{case}: {script:#?}"
            );
            replay.finish().expect("it is the same run");
        }
    }
}
