//! An answer that is an image: it is an answer, is shown as one, is stored, and goes back.

use serde_json::{Value, json};
use toolwright::{
    Conversation, Gemini, Message, Runner,
    message::{Image, Part},
    run::{Finish, Record},
    runner::{Printer, RunEvent},
    streams::{PlainStream, UiMessageStream, ui_message::history},
};

use crate::{
    gemini::streamed,
    loopback::{Answer, Server},
    served,
};

/// The beginning of a PNG, in base64.
const PNG: &str = "iVBORw==";

fn reply(parts: &Value) -> Value {
    json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 1290, "totalTokenCount": 1300},
        "modelVersion": "gemini-3-pro-image"})
}

fn drawn() -> Value {
    reply(
        &json!([{"inlineData": {"mimeType": "image/png", "data": PNG}, "thoughtSignature": "c2ln"}]),
    )
}

async fn server(streaming: bool, replies: [Value; 2]) -> Server {
    let answers = replies.map(|reply| {
        if streaming {
            Answer::events(&streamed(&reply))
        } else {
            Answer::json(&reply.to_string())
        }
    });
    Server::start(answers.into()).await
}

fn runner(server: &Server, streaming: bool) -> Runner {
    let model = Gemini::new("gemini-3-pro-image", "goog-secret").with_base_url(server.base_url());
    let runner = Runner::builder(model).streaming(streaming);
    runner.build().expect("is consistent")
}

#[tokio::test]
async fn an_image_alone_is_asked_for_once_and_is_the_answer() {
    for streaming in [false, true] {
        let server = server(streaming, [drawn(), reply(&json!([{"text": "Done."}]))]).await;
        let runner = runner(&server, streaming);
        let mut run = runner.start("Draw a lawn.");
        let mut events: Vec<RunEvent> = Vec::new();
        while let Some(event) = run.next().await {
            events.push(event);
        }
        let outcome = run.outcome().await.expect("answers");
        assert_eq!(outcome.finish, Finish::Answered, "{streaming}");
        assert_eq!((outcome.requests, server.requests().len()), (1, 1));

        // It is a part of the conversation, which is stored with it.
        let image = Part::Image(Image::from_bytes("image/png", b"\x89PNG"));
        let stored = serde_json::to_string(&outcome.conversation).expect("is stored");
        let mut conversation: Conversation = serde_json::from_str(&stored).expect("is read");
        let Some(Message::Assistant(said)) = conversation.messages().last() else {
            panic!("the answer is the last message");
        };
        assert_eq!(said.parts[0], image);

        // Each way of looking shows it: as it comes, by the records alone, and from the conversation.
        let records: Vec<_> = events
            .iter()
            .filter(|event| matches!(event, RunEvent::Recorded { .. }))
            .cloned()
            .collect();
        let address = format!("data:image/png;base64,{PNG}");
        for events in [&events, &records] {
            let mut stream = UiMessageStream::new("run");
            let mut frames: Vec<_> = events.iter().flat_map(|event| stream.push(event)).collect();
            frames.extend(stream.end());
            let file = json!({"type": "file", "url": address, "mediaType": "image/png"});
            let json = |frame: &str| serde_json::from_str::<Value>(frame).unwrap_or_default();
            let files: Vec<_> = frames
                .iter()
                .map(|frame| json(&frame.to_json()))
                .filter(|frame| frame["type"] == "file")
                .collect();
            assert_eq!(files, [file], "{streaming}");
            let mut stream = PlainStream::new();
            let plain: String = events
                .iter()
                .flat_map(|event| stream.push(event))
                .map(|frame| frame.to_sse())
                .collect();
            assert!(plain.contains(&address), "{plain}");
        }
        let messages = serde_json::to_string(&history(&conversation)).expect("is JSON");
        assert!(messages.contains(&address), "{messages}");
        let mut printed = Vec::new();
        let mut writer = Printer::new(&mut printed);
        for event in &events {
            writer.print(event).expect("is written");
        }
        let printed = String::from_utf8(printed).expect("is text");
        assert_eq!(
            printed.matches("[image, image/png]").count(),
            1,
            "{printed}"
        );

        // The next question sends it back as it came.
        let next = runner
            .request("Thanks.")
            .within(&mut conversation)
            .run()
            .await;
        assert_eq!(next.expect("answers").text, "Done.");
        let sent = served::body(&server.requests()[1]);
        assert_eq!(sent["contents"][1], drawn()["candidates"][0]["content"]);
    }
}

/// A response that broke off keeps its image without the signature, which is the provider's alone. From Gemini 3 on the API
/// refuses such an image ("Image part is missing a `thought_signature`": ai.google.dev/gemini-api/docs/thought-signatures,
/// github.com/langchain-ai/langchain-google/issues/1431), so the next request has words in its place.
#[tokio::test]
async fn an_image_that_broke_off_goes_back_in_words() {
    let events = streamed(&drawn());
    let (image, _end) = events.split_once("\r\n\r\n").expect("it has two events");
    let cut_off = Answer::events(&format!("{image}\r\n\r\n"));
    let next = Answer::events(&streamed(&reply(&json!([{"text": "Done."}]))));
    let server = Server::start(vec![cut_off, next]).await;
    let runner = runner(&server, true);
    let mut run = runner.start("Draw a lawn.");
    while run.next().await.is_some() {}
    let error = run.outcome().await.expect_err("it broke off");
    assert!(error.outcome.broken_off);
    let mut conversation = error.outcome.conversation;
    let Some(Message::Assistant(said)) = conversation.messages().last() else {
        panic!("what was seen is kept");
    };
    assert!(matches!(&said.parts[..], [Part::Image(_)]), "{said:?}");

    let next = runner
        .request("Go on.")
        .within(&mut conversation)
        .run()
        .await;
    assert_eq!(next.expect("answers").text, "Done.");
    let sent = served::body(&server.requests()[1]);
    let parts = sent["contents"][1]["parts"]
        .as_array()
        .expect("it has some");
    assert!(
        parts.iter().all(|part| part["inlineData"].is_null()),
        "{parts:?}"
    );
    assert!(
        parts[0]["text"].as_str().expect("words").contains("image"),
        "{parts:?}"
    );
}

#[tokio::test]
async fn an_image_without_words_is_no_typed_answer() {
    #[derive(Debug, serde::Deserialize, toolwright::ToolInput)]
    struct Place {
        city: String,
    }

    let text = reply(&json!([{"text": "{\"city\": \"Oslo\"}"}]));
    let server = server(false, [drawn(), text]).await;
    let answer = runner(&server, false)
        .request("Where?")
        .answer_as::<Place>()
        .run()
        .await;
    let answer = answer.expect("fits");
    assert_eq!(
        (&*answer.value.city, answer.outcome.corrections),
        ("Oslo", 1)
    );
}

#[tokio::test]
async fn a_response_with_an_image_is_the_same_as_its_events() {
    let server = server(false, [drawn(), drawn()]).await;
    let run = runner(&server, false).run("Draw.").await.expect("answers");
    let mut events = runner(&server, false).start("Draw.");
    let mut replied = None;
    while let Some(event) = events.next().await {
        if let RunEvent::Recorded { record, .. } = event
            && let Record::Replied { response, .. } = record
        {
            replied = Some(response);
        }
    }
    let response = replied.expect("came");
    let again: toolwright::ModelResponse = response.clone().into_events().into_iter().collect();
    assert_eq!(again, response);
    assert_eq!(run.usage.output_tokens, 1290);
}
