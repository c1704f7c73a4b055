//! Answers that do not fit are told, and asked for again.

use toolwright::{
    Runner,
    run::{Failure, Finish, Limit},
    runner::AnswerError,
    toolset,
};

use super::*;

const WHY: &str = "rain: expected an integer from 0 to 100, got 120";

#[tokio::test]
async fn what_does_not_fit_is_told_and_mended() {
    let model = by_schema([text(TOO_MUCH), text(OSLO)]);
    let answer = weather(&runner(model.clone())).await;
    let answer = answer.expect("fits");
    assert_eq!((answer.value, answer.outcome.corrections), (oslo(), 1));
    let warnings = &answer.outcome.warnings;
    assert_eq!((warnings.len(), &*warnings[0].code), (1, "answer_unfit"));
    assert!(warnings[0].message.contains(WHY), "{warnings:?}");
    let requests = model.requests();
    let said = last(&requests[1], 3);
    assert_eq!(said[0], ("user", "Rain?".to_owned()));
    assert_eq!(said[1], ("assistant", TOO_MUCH.to_owned()));
    let (who, note) = &said[2];
    assert_eq!(*who, "user");
    assert!(
        note.contains(WHY) && note.contains(r#""maximum":100"#),
        "{note}"
    );
    assert_eq!(requests[1].answer_schema, requests[0].answer_schema);
    // It was part of one request only.
    let messages = answer.outcome.conversation.messages();
    assert_eq!(
        (messages.len(), answer.outcome.conversation.text().as_str()),
        (2, OSLO)
    );
}

#[tokio::test]
async fn a_refused_text_comes_after_the_rounds_of_its_turn() {
    let rain = call("get_rain", r#"{"city": "Oslo"}"#);
    let model = by_schema([rain, text("wet"), text(OSLO)]);
    let runner = Runner::builder(model.clone()).tools(toolset![get_rain]);
    let answer = weather(&runner.build().unwrap()).await;
    assert_eq!(answer.expect("fits").value, oslo());
    let requests = model.requests();
    let Message::Assistant(said) = &requests[2].messages[1] else {
        panic!("it has called");
    };
    assert_eq!((said.tool_rounds.len(), said.text().as_str()), (1, "wet"));
    assert_eq!(requests[2].messages.len(), 3);
}

#[tokio::test]
async fn given_up_after_two_with_the_text() {
    for wanted in [0_u32, 1, 2, 3] {
        let last = r#"{"city": "Oslo"}"#;
        let replies = (0..wanted).map(|_| text(TOO_MUCH)).chain([text(last)]);
        let model = by_schema(replies);
        let runner = Runner::builder(model.clone());
        // Two without a word about it.
        let runner = match wanted {
            2 => runner,
            _ => runner.answer_corrections(wanted),
        };
        let mut conversation = toolwright::Conversation::new();
        let runner = runner.build().unwrap();
        let error = runner
            .request("Rain?")
            .within(&mut conversation)
            .answer_as::<Weather>()
            .run()
            .await;
        let error = error.expect_err("none fits");
        let (said, why) = error.unfit().expect("the answers did not fit");
        assert_eq!(said, last);
        assert!(why.contains("rain"), "{why}");
        assert_eq!(model.requests().len(), wanted as usize + 1);
        let outcome = error.outcome();
        assert_eq!((outcome.corrections, outcome.text.as_str()), (wanted, last));
        assert_eq!(conversation, outcome.conversation);
        assert_eq!(conversation.text(), last);
        assert!(error.to_string().contains(why), "{error}");
        assert!(!format!("{error:?}").contains("conversation"), "{error:?}");
    }
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_told_by_their_result() {
    let model = by_tool([given(TOO_MUCH), given("{}"), given(OSLO)]);
    let answer = weather(&runner(model.clone())).await;
    let answer = answer.expect("fits");
    assert_eq!((answer.value, answer.outcome.corrections), (oslo(), 2));
    let requests = model.requests();
    let Message::Assistant(said) = &requests[1].messages[1] else {
        panic!("it has called");
    };
    let told = said.tool_rounds[0].results[0].to_model_text();
    assert!(told.contains(WHY), "{told}");

    let model = by_tool([given(TOO_MUCH), given("{}"), given(TOO_MUCH), given(OSLO)]);
    let error = weather(&runner(model.clone())).await;
    let error = error.expect_err("none fits");
    assert_eq!(error.unfit().expect("told").0, TOO_MUCH);
    assert_eq!(
        (model.requests().len(), error.outcome().corrections),
        (3, 2)
    );
    assert_eq!(error.outcome().text, TOO_MUCH);
}

#[tokio::test]
async fn a_text_where_a_tool_takes_the_answer_is_sent_there() {
    let model = by_tool([text("It rains."), given(TOO_MUCH), given(OSLO)]);
    let answer = weather(&runner(model.clone())).await;
    assert_eq!(answer.expect("fits").outcome.corrections, 2);
    let requests = model.requests();
    let said = last(&requests[1], 2);
    assert_eq!(said[0], ("assistant", "It rains.".to_owned()));
    assert!(said[1].1.contains("the tool `final_answer`"), "{said:?}");
    // Both ways count together.
    let model = by_tool([text("It rains."), given(TOO_MUCH), text("It pours.")]);
    let error = weather(&runner(model)).await;
    assert_eq!(
        error.expect_err("none").unfit().expect("told").0,
        "It pours."
    );
}

#[tokio::test]
async fn at_a_limit_the_answer_has_the_same_form() {
    for model in [by_schema, by_tool] {
        let rain = call("get_rain", r#"{"city": "Oslo"}"#);
        let model = model([rain, text("no"), text(OSLO)]);
        let runner = Runner::builder(model.clone()).tools(toolset![get_rain]);
        let runner = runner.max_rounds(1).build().unwrap();
        let answer = weather(&runner).await.expect("fits");
        assert_eq!(answer.value, oslo());
        let (limit, summarized) = (Limit::Rounds { max: 1 }, true);
        assert_eq!(answer.outcome.finish, Finish::Limit { limit, summarized });
        let requests = model.requests();
        for request in &requests[1..] {
            assert_eq!(request.tool_choice, toolwright::model::ToolChoice::None);
            assert!(request.answer_schema.is_some());
        }
        let [.., (_, note)] = &last(&requests[1], 1)[..] else {
            panic!("one")
        };
        assert!(
            note.contains("1 round") && note.contains(r#""maximum":100"#),
            "{note}"
        );
        let said = last(&requests[2], 3);
        assert_eq!(said[0], ("assistant", "no".to_owned()));
        assert!(said[1].1.contains("1 round"), "{said:?}");
        assert!(said[2].1.contains("does not fit"), "{said:?}");
    }
}

#[tokio::test]
async fn at_a_limit_it_is_given_up_as_well() {
    let rain = call("get_rain", r#"{"city": "Oslo"}"#);
    let model = by_schema([rain, text("a"), text("b"), text("c"), text(OSLO)]);
    let runner = Runner::builder(model.clone()).tools(toolset![get_rain]);
    let runner = runner.max_rounds(1).build().unwrap();
    let error = weather(&runner).await.expect_err("none");
    let AnswerError::NoAnswer(outcome) = &error else {
        panic!("{error:?}");
    };
    let (limit, summarized) = (Limit::Rounds { max: 1 }, false);
    assert_eq!(outcome.finish, Finish::Limit { limit, summarized });
    assert_eq!((outcome.text.as_str(), model.requests().len()), ("c", 4));
    let codes: Vec<_> = outcome.warnings.iter().map(|it| &*it.code).collect();
    assert_eq!(codes, ["answer_unfit"; 3]);
}

#[tokio::test]
async fn a_model_that_fails_meanwhile_is_what_failed() {
    let error = ModelError::new(toolwright::model::ModelErrorKind::InvalidRequest, "no");
    let model = by_schema([ScriptedResponse::from(text("a")), error.into()]);
    let error = weather(&runner(model)).await;
    let AnswerError::Failed(error) = error.expect_err("failed") else {
        panic!("it failed")
    };
    assert!(matches!(error.failure, Failure::Model(_)), "{error:?}");
}

#[tokio::test]
async fn of_several_answers_in_a_last_response_the_first_that_fits_is_taken() {
    let rain = || call("get_rain", r#"{"city": "Oslo"}"#);
    let answers = |each: &[&str]| {
        let calls = each.iter().enumerate();
        let calls = calls
            .map(|(at, arguments)| ToolCall::new(format!("c{at}"), "final_answer", *arguments));
        ModelResponse::from_calls(calls)
    };
    let bergen = r#"{"city": "Bergen", "rain": 90}"#;
    let run = async |last: ModelResponse| {
        let runner = Runner::builder(by_tool([rain(), last])).tools(toolset![get_rain]);
        let runner = runner.max_rounds(1).answer_corrections(0);
        weather(&runner.build().unwrap()).await
    };
    for each in [&[TOO_MUCH, OSLO][..], &["{}", TOO_MUCH, OSLO, bergen]] {
        let answer = run(answers(each)).await.expect("one fits");
        assert_eq!((answer.value, &*answer.outcome.text), (oslo(), OSLO));
    }
    // The first is shown of those of which none fits.
    let error = run(answers(&[TOO_MUCH, "{}"])).await;
    assert_eq!(error.expect_err("none fits").outcome().text, TOO_MUCH);
}
