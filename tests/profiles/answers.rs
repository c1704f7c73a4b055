//! Schemas of the corpora as those of answers, over the codecs against the double.

use std::{collections::HashSet, sync::Arc};

use jsonschema::Validator;
use serde_json::{Value, json};
use toolwright::{
    ChatModel, Message, ModelResponse, Runner, ToolDefinition,
    model::{AnswerSchema, ModelRequest, collect},
    run::{AnswerForm, AnswerMeans, Failure, Record as Step, RunError, RunOutcome, StoredRun},
    runner::RunEvent,
};

use super::{Record, double::Server, runs::Codec};

/// What came of the schemas of the corpora.
#[derive(Debug, Default)]
struct Count {
    schemas: usize,
    enforced: usize,
    not_strict: usize,
    left_out: usize,
    /// Values that were made from what was sent.
    made: usize,
    /// Those of them that break a constraint which is told in words.
    told_in_words: usize,
    /// Values of the corpora, which came back as they are.
    back: usize,
    /// Runs whose wrong answer was mended in one round.
    mended: usize,
    /// Runs that were given up after two.
    given_up: usize,
}

/// Asks for an answer of each schema, plain and streamed.
pub(crate) fn check(codec: Codec, server: &Server, records: &[Record]) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("there is a runtime");
    let model: Arc<dyn ChatModel> = codec.model("sim-text".to_owned(), &server.url()).into();
    let mut seen = HashSet::new();
    let mut count = Count::default();
    for record in records {
        let ToolDefinition {
            name, input_schema, ..
        } = &record.tool;
        if !seen.insert((name, input_schema.as_str())) {
            continue;
        }
        count.schemas += 1;
        let asked = Asked {
            model: Arc::clone(&model),
            server,
            record,
            own: jsonschema::options()
                .build(&input_schema.to_value())
                .expect("it is a schema"),
        };
        for streaming in [false, true] {
            runtime.block_on(asked.ask(streaming, &mut count));
            runtime.block_on(asked.run(streaming, &mut count));
        }
    }
    assert!(count.enforced > 0 && count.made > 0 && count.mended > 0 && count.given_up > 0);
    let report = server.report();
    assert_eq!(report["violations"], json!([]), "{report}");
    check_refused(codec, server);
    let requests = &report["requests"];
    eprintln!("strict server: {requests} requests for answers over {codec:?}: {count:?}");
}

/// The test of the test: a schema against the rules of a provider is refused.
fn check_refused(codec: Codec, server: &Server) {
    let (path, mut body, _) = codec.smallest();
    let open = json!({"type": "object", "properties": {"a": {"type": "string"}}, "const": {}});
    let (field, form, why) = match codec {
        Codec::Chat => {
            let named = json!({"name": "a", "schema": open, "strict": true});
            let form = json!({"type": "json_schema", "json_schema": named});
            ("response_format", form, "additionalProperties")
        }
        Codec::Responses => {
            let form = json!({"type": "json_schema", "name": "a", "schema": open, "strict": true});
            ("text", json!({"format": form}), "additionalProperties")
        }
        Codec::Anthropic => {
            let form = json!({"type": "json_schema", "schema": open});
            (
                "output_config",
                json!({"format": form}),
                "additionalProperties",
            )
        }
        Codec::Gemini => {
            let form = json!({"responseMimeType": "application/json", "responseJsonSchema": open});
            ("generationConfig", form, "const is not known")
        }
        Codec::Ollama => ("format", open, "there are tools"),
    };
    server.takes(path, &body);
    body[field] = form;
    server.refuses(path, &body, why);
}

/// A schema of the corpora as that of an answer.
struct Asked<'a> {
    model: Arc<dyn ChatModel>,
    server: &'a Server,
    record: &'a Record,
    /// The schema as it was declared.
    own: Validator,
}

impl Asked<'_> {
    fn schema(&self) -> AnswerSchema {
        let ToolDefinition {
            name,
            description,
            input_schema,
            ..
        } = &self.record.tool;
        AnswerSchema::new(name.clone(), input_schema.clone()).with_description(description.clone())
    }

    fn request(&self) -> ModelRequest {
        ModelRequest::new([Message::user("Go on.")]).with_answer_schema(self.schema())
    }

    async fn response(&self, streaming: bool) -> ModelResponse {
        let request = self.request();
        let response = if streaming {
            collect(self.model.stream(&request)).await
        } else {
            self.model.complete(&request).await
        };
        response.unwrap_or_else(|error| panic!("{}: {error}", self.record.tool.name))
    }

    /// What is sent is taken, or a warning says why it is not; and what fits it comes back and fits.
    async fn ask(&self, streaming: bool, count: &mut Count) {
        let name = &self.record.tool.name;
        let response = self.response(streaming).await;
        let sent = self.server.last()["schema"].take();
        assert_eq!(
            self.model.takes_answer_schema(&self.request()),
            !sent.is_null(),
            "{name}"
        );
        let warnings = response
            .warnings
            .iter()
            .map(|one| (&*one.code, &*one.message));
        match (&warnings.collect::<Vec<_>>()[..], sent.is_null()) {
            ([], false) => count.enforced += 1,
            ([("answer_schema_not_strict", why)], false) => {
                assert!(why.contains("is not enforced: "), "{why}");
                count.not_strict += 1;
            }
            ([("answer_schema_left_out", why)], true) => {
                assert!(why.contains("it is not enforced: "), "{why}");
                count.left_out += 1;
            }
            (warnings, _) => panic!("{name}: {warnings:?} about {sent}"),
        }
        if !sent.is_null() {
            self.check_made(&sent, &response.text, count);
        }
        for instance in &self.record.instances {
            self.server.say(&instance.to_string());
            let back: Value = serde_json::from_str(&self.response(streaming).await.text)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(back, *instance, "{name}");
            count.back += 1;
        }
    }

    /// The smallest value of what was sent fits what was declared, but for constraints that are told in words.
    fn check_made(&self, sent: &Value, text: &str, count: &mut Count) {
        let name = &self.record.tool.name;
        let made: Value = serde_json::from_str(text).expect("the double writes JSON");
        let sent_validator = jsonschema::options().build(sent).expect("it is a schema");
        // Whoever makes it knows no patterns.
        if !sent_validator.is_valid(&made) {
            return;
        }
        count.made += 1;
        let broken: Vec<_> = self.own.iter_errors(&made).collect();
        for error in &broken {
            let keyword = error.kind().keyword();
            let told = format!("({keyword}: ");
            assert!(
                sent.to_string().contains(&told),
                "{name}: {made}: {error}\n{sent}"
            );
        }
        count.told_in_words += usize::from(!broken.is_empty());
    }

    /// A wrong answer is told and mended in one round, and given up after two: by the schema alone.
    async fn run(&self, streaming: bool, count: &mut Count) {
        let Some(right) = self.record.instances.first() else {
            return;
        };
        let right = right.to_string();
        let Some(wrong) = self.wrong() else {
            return;
        };
        self.server.say(&wrong);
        self.server.say(&right);
        let outcome = self.outcome(streaming).await;
        let outcome = outcome.unwrap_or_else(|error| panic!("{wrong}: {error}"));
        let [text, right] = [&*outcome.text, &*right]
            .map(|text| serde_json::from_str::<Value>(text).expect("it is JSON"));
        assert_eq!(text, right);
        let name = &self.record.tool.name;
        assert_eq!(outcome.corrections, 1, "{name}: {wrong}");
        let told = self.server.last()["body"].to_string();
        // By a message, or by the result of the call, which names the place.
        let ways = ["your answer does not fit: ", "arguments.", "arguments: "];
        let ways = if self.model.takes_answer_schema(&self.request()) {
            &ways[..1]
        } else {
            &ways[1..]
        };
        assert!(ways.iter().any(|way| told.contains(way)), "{told}");
        count.mended += 1;

        for _ in 0..3 {
            self.server.say(&wrong);
        }
        let error = self.outcome(streaming).await.expect_err("none fits");
        let Failure::AnswerUnfit { text, reason } = &error.failure else {
            panic!("{name}: {error}");
        };
        let [text, wrong] =
            [text, &wrong].map(|text| serde_json::from_str::<Value>(text).expect("it is JSON"));
        assert_eq!((text, error.outcome.model_calls), (wrong, 3), "{name}");
        assert!(!reason.is_empty(), "{name}");
        count.given_up += 1;
    }

    /// A value that does not fit: of the corpus, or a right one that lacks what is required.
    fn wrong(&self) -> Option<String> {
        let lacking = self.record.instances.iter().flat_map(|right| {
            let keys = right.as_object().into_iter().flat_map(|right| right.keys());
            keys.map(|key| {
                let mut wrong = right.clone();
                wrong.as_object_mut().expect("it has keys").remove(key);
                wrong
            })
        });
        let all = self.record.wrong.iter().cloned().chain(lacking);
        let mut objects = all.filter(|value| value.is_object() && !self.own.is_valid(value));
        objects.next().map(|value| value.to_string())
    }

    /// A run for the answer, which begins as one that was stored: what it asks for is no type of this program.
    async fn outcome(&self, streaming: bool) -> Result<RunOutcome, RunError> {
        let means = if self.model.takes_answer_schema(&self.request()) {
            AnswerMeans::Schema
        } else {
            AnswerMeans::Tool("final_answer".to_owned())
        };
        let runner = Runner::builder(Arc::clone(&self.model)).streaming(streaming);
        let runner = runner.build().expect("is sound");
        let Some(RunEvent::Recorded { mut record, .. }) = runner.start("Go on.").next().await
        else {
            panic!("the first record comes first");
        };
        if let Step::Started { config, .. } = &mut record {
            config.answer = Some(AnswerForm::new(self.schema(), means));
        }
        let stored = StoredRun::from_records(vec![record]).expect("begins as one");
        let handle = runner.resume(stored).start().await.expect("goes on");
        handle.outcome().await
    }
}
