//! How the text of an answer is read.

use std::collections::BTreeMap;

use super::*;

#[tokio::test]
async fn an_enum_classifies() {
    let model = by_schema([text(r#"{"answer": "delivery"}"#)]);
    let topic = runner(model.clone())
        .request("Where is it?")
        .answer_as::<Topic>()
        .run()
        .await;
    assert_eq!(topic.expect("fits").value, Topic::Delivery);
    let requests = model.requests();
    let schema = requests[0].answer_schema.as_ref().expect("is asked for");
    assert_eq!(schema.name, "Topic");
    let schema = schema.schema.to_value();
    assert_eq!(
        (&schema["type"], &schema["required"][0]),
        (&"object".into(), &"answer".into())
    );
    assert_eq!(schema["additionalProperties"], false);
    let model = by_schema([text(r#"{"answer": "sport"}"#), text("billing")]);
    let topic = runner(model.clone())
        .request("I paid twice")
        .answer_as::<Topic>()
        .run()
        .await;
    assert_eq!(topic.expect("fits").value, Topic::Billing);
    let said = last(&model.requests()[1], 1);
    let told = &said[0].1;
    assert!(told.contains("does not fit: answer: "), "{told}");
    assert!(told.contains("delivery"), "{told}");
}

/// What comes of a text, or the reason why nothing does.
async fn read<
    T: ToolInput + toolwright::runner::TypedAnswer + serde::de::DeserializeOwned + Send + 'static,
>(
    said: &str,
) -> Result<T, String> {
    let model = by_schema([text(said)]);
    let runner = Runner::builder(model).answer_corrections(0).build();
    match runner
        .expect("is whole")
        .request("Go on.")
        .answer_as::<T>()
        .run()
        .await
    {
        Ok(answer) => Ok(answer.value),
        Err(error) => Err(error.unfit().expect("is unfit").1.to_owned()),
    }
}

#[tokio::test]
async fn values_of_any_type_are_answers() {
    assert_eq!(read::<u8>(r#"{"answer": 7}"#).await, Ok(7));
    assert_eq!(read::<u8>("7").await, Ok(7));
    assert_eq!(read::<u8>(r#"{"answer": 7.0}"#).await, Ok(7));
    assert_eq!(
        read::<Vec<u8>>(r#"{"answer": [1, 2]}"#).await,
        Ok(vec![1, 2])
    );
    assert_eq!(read::<Vec<u8>>("[1, 2]").await, Ok(vec![1, 2]));
    assert_eq!(read::<bool>(r#"{"answer": true}"#).await, Ok(true));
    assert_eq!(
        read::<String>(r#"{"answer": "a"}"#).await,
        Ok("a".to_owned())
    );
    assert_eq!(read::<Option<u8>>(r#"{"answer": null}"#).await, Ok(None));
    let map = BTreeMap::from([("a".to_owned(), 1_u8)]);
    assert_eq!(
        read::<BTreeMap<String, u8>>(r#"{"answer": {"a": 1}}"#).await,
        Ok(map)
    );
    let all = read::<Vec<Weather>>(&format!(r#"{{"answer": [{OSLO}]}}"#)).await;
    assert_eq!(all, Ok(vec![oslo()]));
}

#[tokio::test]
async fn what_stands_around_it_is_passed_over() {
    for said in [
        format!("```json\n{OSLO}\n```"),
        format!("Here it is:\n\n```json\n{OSLO}\n```\nAnything else?"),
        format!("It is {OSLO}, I think."),
        "{'city': 'Oslo', 'rain': 80,}".to_owned(),
        r#"{"city": "Oslo", "rain": 80.0}"#.to_owned(),
    ] {
        assert_eq!(read::<Weather>(&said).await, Ok(oslo()), "{said}");
    }
    assert_eq!(read::<Topic>("billing").await, Ok(Topic::Billing));
    assert_eq!(read::<Topic>(" \"billing\" ").await, Ok(Topic::Billing));
}

#[tokio::test]
async fn what_has_two_readings_or_none_does_not_fit() {
    for (said, why) in [
        (format!("{OSLO} or {OSLO}"), "not valid JSON"),
        ("It rains.".to_owned(), "not valid JSON"),
        (r#"{"city": "Oslo", "rain": 8"#.to_owned(), "not valid JSON"),
        (format!("[{OSLO}, {OSLO}]"), "JSON"),
        (r#"{"city": "Oslo"}"#.to_owned(), "rain: "),
        (
            r#"{"city": 5, "rain": 120}"#.to_owned(),
            "city: expected a string, got 5",
        ),
    ] {
        let error = read::<Weather>(&said).await.expect_err(&said);
        assert!(error.contains(why), "{said}: {error}");
        assert!(!error.contains("arguments"), "{said}: {error}");
    }
    for said in [
        "sport",
        "\"sport\"",
        "billing, I think",
        "{\"answer\": \"sport\"}",
    ] {
        read::<Topic>(said).await.expect_err(said);
    }
}
