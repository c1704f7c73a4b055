//! How a model is asked for an answer of a type.

use toolwright::{
    Runner, Toolset,
    approval::{ApprovalPolicy, ApprovalRequest, Decision},
    dispatch::CallOptions,
    model::{ModelRequest, ToolChoice},
    run::{AnswerMeans, Record, ToolChoiceSchedule},
    runner::RunEvent,
    toolset,
};

use super::*;

fn names(request: &ModelRequest) -> Vec<&str> {
    request.tools.iter().map(|tool| &*tool.name).collect()
}

#[tokio::test]
async fn a_provider_that_takes_the_schema_is_sent_it() {
    let model = by_schema([call("get_rain", r#"{"city": "Oslo"}"#), text(OSLO)]);
    let runner = Runner::builder(model.clone()).tools(toolset![get_rain]);
    let answer = weather(&runner.build().unwrap()).await;
    let answer = answer.expect("fits");
    assert_eq!((answer.value, answer.outcome.corrections), (oslo(), 0));
    assert_eq!(answer.outcome.text, OSLO);
    let requests = model.requests();
    assert_eq!(requests.len(), 2);
    for request in &requests {
        assert_eq!(names(request), ["get_rain"]);
        let schema = request.answer_schema.as_ref().expect("is asked for");
        assert_eq!(schema.name, "Weather");
        let description = schema.description.as_deref();
        assert_eq!(description, Some("The weather of a city."));
        let schema = schema.schema.to_value();
        assert_eq!(schema["required"], serde_json::json!(["city", "rain"]));
        assert_eq!(schema["properties"]["rain"]["maximum"], 100);
    }
}

#[tokio::test]
async fn elsewhere_a_tool_takes_the_answer() {
    let rain = call("get_rain", r#"{"city": "Oslo"}"#);
    let model = by_tool([rain, given(OSLO), text("You are welcome.")]);
    let runner = Runner::builder(model.clone()).tools(toolset![get_rain]);
    let runner = runner.build().unwrap();
    let mut answer = weather(&runner).await.expect("fits");
    assert_eq!(answer.value, oslo());
    let outcome = &mut answer.outcome;
    assert_eq!((outcome.text.as_str(), outcome.rounds), (OSLO, 2));
    let requests = model.requests();
    assert_eq!(requests.len(), 2);
    for request in &requests {
        assert_eq!(names(request), ["get_rain", "final_answer"]);
        assert_eq!(request.answer_schema, None);
        let tool = &request.tools[1];
        assert!(tool.description.ends_with("The weather of a city."));
        assert_eq!(
            tool.input_schema.to_value()["properties"]["rain"]["maximum"],
            100
        );
    }
    // The conversation goes on, with every call answered.
    let outcome = runner
        .request("Thanks.")
        .within(&mut outcome.conversation)
        .run()
        .await;
    assert_eq!(outcome.unwrap().text, "You are welcome.");
    let requests = model.requests();
    let Message::Assistant(said) = &requests[2].messages[1] else {
        panic!("the model has answered");
    };
    let round = said.tool_rounds.last().expect("it gave its answer");
    assert_eq!(round.results[0].to_model_text(), "The answer was taken.");
    assert_eq!(names(&requests[2]), ["get_rain"]);
}

#[tokio::test]
async fn a_text_that_fits_is_an_answer_where_a_tool_takes_it() {
    let model = by_tool([text(OSLO)]);
    let answer = weather(&runner(model)).await;
    assert_eq!(answer.expect("fits").value, oslo());
}

#[tokio::test]
async fn a_model_that_takes_neither_is_told_the_schema() {
    let model = ScriptedModel::new([text("Rather wet."), text(OSLO)]);
    let answer = weather(&runner(Plain(model.clone()))).await;
    assert_eq!(answer.expect("fits").value, oslo());
    let requests = model.requests();
    for request in &requests {
        assert_eq!((names(request).len(), &request.answer_schema), (0, &None));
        let [(who, said)] = &last(request, 1)[..] else {
            panic!("one")
        };
        assert_eq!(*who, "user");
        assert!(said.contains(r#""maximum":100"#), "{said}");
    }
    assert_eq!(requests.len(), 2);
}

#[tokio::test]
async fn where_no_tool_may_be_called_none_takes_the_answer() {
    let model = by_tool([text(OSLO)]);
    let runner = Runner::builder(model.clone()).tool_choice(ToolChoice::None);
    let answer = weather(&runner.build().unwrap()).await;
    assert_eq!(answer.expect("fits").value, oslo());
    let requests = model.requests();
    assert!(names(&requests[0]).is_empty());
    assert!(
        last(&requests[0], 1)[0]
            .1
            .contains("in JSON of this schema")
    );
}

#[tokio::test]
async fn an_answer_that_came_as_a_call_where_none_may_be_is_taken() {
    // Once a round is over, no tool may be called.
    let choices = ToolChoiceSchedule::Rounds(vec![ToolChoice::Auto, ToolChoice::None]);
    let rain = || call("get_rain", r#"{"city": "Oslo"}"#);
    for (script, corrections) in [
        (vec![rain(), given(OSLO)], 0),
        (vec![rain(), given(TOO_MUCH), given(OSLO)], 1),
    ] {
        let model = by_tool(script);
        let runner = Runner::builder(model.clone()).tools(toolset![get_rain]);
        let runner = runner.tool_choice(choices.clone()).build().unwrap();
        let answer = weather(&runner).await.expect("fits");
        assert_eq!(answer.value, oslo());
        let outcome = answer.outcome;
        assert_eq!((outcome.rounds, outcome.corrections), (1, corrections));
        assert_eq!(outcome.conversation.text(), OSLO);
        let warned = outcome.warnings.iter().map(|warning| &*warning.code);
        assert!(warned.eq((0..corrections).map(|_| "answer_unfit")));
        assert_eq!(model.requests()[1].tool_choice, ToolChoice::None);
    }
}

/// The user's own.
#[tool(read_only)]
fn final_answer(_text: String) -> String {
    "noted".to_owned()
}

#[tokio::test]
async fn its_name_is_that_of_no_other_tool() {
    let own = given(r#"{"_text": "hm"}"#);
    let model = by_tool([own, call("final_answer_2", OSLO)]);
    let runner = Runner::builder(model.clone()).tools(toolset![final_answer]);
    let answer = weather(&runner.build().unwrap()).await;
    assert_eq!(answer.expect("fits").value, oslo());
    assert_eq!(
        names(&model.requests()[1]),
        ["final_answer", "final_answer_2"]
    );
}

#[tokio::test]
async fn nobody_is_asked_to_approve_an_answer() {
    let options = CallOptions::new()
        .with_approvals(ApprovalPolicy::All)
        .with_approver(async |_: ApprovalRequest| -> Decision { panic!("nobody is asked") });
    let runner = Runner::builder(by_tool([given(OSLO)])).calls(options);
    let answer = weather(&runner.build().unwrap()).await;
    assert_eq!(answer.expect("fits").value, oslo());
}

#[tokio::test]
async fn the_log_says_how() {
    let mut handle = runner(by_tool([given(OSLO)]))
        .request("Rain?")
        .answer_as::<Weather>()
        .start();
    let Some(RunEvent::Recorded { record, .. }) = handle.next().await else {
        panic!("the first record comes first");
    };
    let Record::Started { config, .. } = record else {
        panic!("a run begins");
    };
    let form = config.answer.expect("has one");
    assert_eq!(form.means, AnswerMeans::Tool("final_answer".to_owned()));
    assert_eq!(form.corrections, 2);
    assert_eq!(form.tool().expect("is one").name, "final_answer");
    drop(handle);
    let mut handle = runner(by_tool([text("Hello.")])).start("Hello.");
    let Some(RunEvent::Recorded { record, .. }) = handle.next().await else {
        panic!("the first record comes first");
    };
    let stored = serde_json::to_value(&record).expect("is JSON");
    assert_eq!(stored["config"].get("answer"), None);
    assert!(Toolset::new().is_empty());
}
