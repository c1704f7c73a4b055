//! The way in which a model is asked for an answer, where the application says it; and a tool for it that cannot be added.

use toolwright::{
    Runner, Toolset,
    model::{ModelErrorKind, ToolChoice},
    run::{AnswerMeans, Failure, Record, StoredRun},
    runner::{AnswerError, BuildError, RunEvent, RunnerBuilder},
    toolset,
    toolset::{ToolRegistry, ToolsetError},
};

use super::*;

fn named(name: &str) -> AnswerMeans {
    AnswerMeans::Tool(name.to_owned())
}

#[tokio::test]
async fn each_can_be_chosen() {
    for (model, means) in [
        (by_schema([call("give", OSLO)]), named("give")),
        (by_schema([text(OSLO)]), AnswerMeans::Text),
        (by_tool([text(OSLO)]), AnswerMeans::Schema),
    ] {
        let runner = Runner::builder(model.clone()).answer_means(means.clone());
        let mut handle = runner
            .build()
            .unwrap()
            .request("Rain?")
            .answer_as::<Weather>()
            .start();
        let Some(RunEvent::Recorded { record, .. }) = handle.next().await else {
            panic!("the first record comes first");
        };
        let Record::Started { config, .. } = record else {
            panic!("a run begins");
        };
        assert_eq!(config.answer.expect("has one").means, means);
        assert_eq!(handle.answer().await.expect("fits").value, oslo());
        let request = &model.requests()[0];
        assert_eq!(
            request.answer_schema.is_some(),
            means == AnswerMeans::Schema
        );
        let tools: Vec<_> = request.tools.iter().map(|tool| &*tool.name).collect();
        assert_eq!(tools.contains(&"give"), means == named("give"));
        let told = last(request, 1)[0].1.contains("in JSON of this schema");
        assert_eq!(told, means == AnswerMeans::Text);
    }
}

#[test]
fn a_tool_that_cannot_be_added_is_an_error_of_the_settings() {
    let of = |means: &str| -> RunnerBuilder {
        let runner = Runner::builder(by_tool([text(OSLO)])).tools(toolset![get_rain]);
        runner.answer_means(named(means))
    };
    let name = "get_rain".to_owned();
    let error = of("get_rain").build().expect_err("is there");
    assert_eq!(error, BuildError::Tools(ToolsetError::Duplicate { name }));
    for name in ["", "the answer", "café", &"a".repeat(65)] {
        let error = of(name).build().expect_err("is no name");
        let name = name.to_owned();
        assert_eq!(error, BuildError::Tools(ToolsetError::Name { name }));
    }
    let error = of("give").tool_choice(ToolChoice::None).build();
    assert_eq!(
        error.expect_err("none may be called"),
        BuildError::NoAnswerTool
    );
    let plain = Plain(by_tool([text(OSLO)]));
    let error = Runner::builder(plain).answer_means(named("give")).build();
    let error = error.map(drop).expect_err("takes none").to_string();
    assert_eq!(
        error,
        "the model does not support tools: use another model, or no tools"
    );
}

/// The user's own.
#[tool(read_only)]
fn final_answer(_text: String) -> String {
    "noted".to_owned()
}

fn check(error: &AnswerError) {
    let AnswerError::Failed(error) = error else {
        panic!("{error:?}");
    };
    let Failure::Model(error) = &error.failure else {
        panic!("{error:?}");
    };
    assert_eq!(error.kind, ModelErrorKind::InvalidRequest);
    let told =
        "the tool that takes the answer cannot be offered: two tools are called `final_answer`";
    assert!(error.message.contains(told), "{error}");
}

#[tokio::test]
async fn one_that_cannot_be_added_later_fails_the_run() {
    // A registry gets a tool of its name meanwhile.
    let registry = ToolRegistry::from(toolset![get_rain]);
    let rain = call("get_rain", r#"{"city": "Oslo"}"#);
    let model = by_tool([rain, given(OSLO)]);
    let runner = Runner::builder(model.clone()).registry(registry.clone());
    let mut handle = runner
        .build()
        .unwrap()
        .request("Rain?")
        .answer_as::<Weather>()
        .start();
    while let Some(event) = handle.next().await {
        if let RunEvent::Recorded {
            record: Record::CallStarted { .. },
            ..
        } = event
        {
            let added = registry.update(|tools| tools.merge(toolset![final_answer]));
            added.expect("it has another name");
        }
    }
    check(&handle.answer().await.expect_err("is not offered"));
    assert_eq!(model.requests().len(), 1);
    // So has the runner that goes on with a run.
    let mut handle = runner_of(toolset![])
        .request("Rain?")
        .answer_as::<Weather>()
        .start();
    let Some(RunEvent::Recorded { record, .. }) = handle.next().await else {
        panic!("the first record comes first");
    };
    let stored = StoredRun::from_records(vec![record]).expect("begins as one");
    let handle = runner_of(toolset![final_answer])
        .resume(stored)
        .answer_as::<Weather>()
        .start()
        .await;
    let answer = handle.expect("goes on").answer().await;
    check(&answer.expect_err("is not offered"));
}

fn runner_of(tools: Toolset) -> Runner {
    let runner = Runner::builder(by_tool([given(OSLO)])).tools(tools);
    runner.build().expect("is whole")
}
