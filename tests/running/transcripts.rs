//! A transcript made with one provider continues with another, for all pairs, and goes back.

pub(crate) mod speakers;
mod turns;

use serde_json::value::RawValue;
use toolwright::{Anthropic, ChatModel, Conversation, Gemini, Ollama, OpenAiChat, OpenAiResponses};

use crate::{
    fuzzed::requests,
    loopback::{Answer, Request, Server},
};
use speakers::{Speaker, speakers};
use turns::go_on;

/// The model of a speaker, at a server.
fn model(speaker: &Speaker, server: &Server) -> Box<dyn ChatModel> {
    let url = server.base_url();
    match speaker.codec {
        "openai_chat" => {
            let model = OpenAiChat::new("m", "k").with_vendor(speaker.vendor);
            Box::new(model.with_base_url(url))
        }
        "openai_responses" => Box::new(OpenAiResponses::new("m", "k").with_base_url(url)),
        "anthropic" => Box::new(Anthropic::new("m", "k").with_base_url(url)),
        "gemini" => Box::new(Gemini::new("gemini-3-x", "k").with_base_url(url)),
        _ => Box::new(Ollama::new("m").with_base_url(url)),
    }
}

/// Says all that a speaker says.
async fn speak(speaker: &Speaker, model: &dyn ChatModel, conversation: &mut Conversation) {
    for _ in &speaker.replies {
        go_on(conversation, true);
        let reply = model.complete(&conversation.request()).await;
        conversation
            .push_response(reply.unwrap_or_else(|error| panic!("{}: {error}", speaker.name)));
    }
    go_on(conversation, true);
}

/// What was said, in a request, as it was sent.
fn said(speaker: &Speaker, request: &Request) -> Vec<Box<RawValue>> {
    let body: std::collections::BTreeMap<String, Box<RawValue>> =
        serde_json::from_slice(&request.body).expect("is JSON");
    let name = match speaker.codec {
        "openai_responses" => "input",
        "gemini" => "contents",
        _ => "messages",
    };
    serde_json::from_str(body[name].get()).expect("is a list")
}

/// Which marks of a speaker a request has.
fn marks<'a>(speaker: &'a Speaker, request: &Request) -> Vec<&'a str> {
    let body = String::from_utf8_lossy(&request.body);
    let marks = speaker.marks.iter().map(String::as_str);
    let as_json = |mark: &str| serde_json::Value::from(mark).to_string();
    marks.filter(|mark| body.contains(&as_json(mark))).collect()
}

/// Every request holds the rules, and goes on from the one before as it was sent.
fn check_requests(speaker: &Speaker, other: &Speaker, server: &Server) -> Vec<Request> {
    let requests = server.requests();
    let mut before: Vec<Box<RawValue>> = Vec::new();
    for request in &requests {
        let body = serde_json::from_slice(&request.body).expect("is JSON");
        for call in requests::check(speaker.codec, &body) {
            assert!((speaker.is_id)(&call.id), "{call:?}");
        }
        // The last message of the user may be joined by the next.
        before.pop();
        let now = said(speaker, request);
        let kept = before.iter().zip(&now);
        for (before, now) in kept {
            assert_eq!(before.get(), now.get(), "after {}", other.name);
        }
        assert!(before.len() <= now.len());
        before = now;
        let foreign = marks(other, request);
        assert!(
            foreign.is_empty(),
            "{} of {}",
            foreign.join(", "),
            other.name
        );
    }
    requests
}

async fn check_pair(first: &Speaker, second: &Speaker) {
    let answers = |speaker: &Speaker, times: usize| {
        let replies = speaker.replies.iter().cycle();
        let replies = replies.take(times * speaker.replies.len());
        replies
            .map(|reply| Answer::json(&reply.to_string()))
            .collect()
    };
    let (here, there) = (
        Server::start(answers(first, 2)).await,
        Server::start(answers(second, 1)).await,
    );
    let (one, other) = (model(first, &here), model(second, &there));
    let mut conversation = Conversation::new();
    speak(first, &*one, &mut conversation).await;
    speak(second, &*other, &mut conversation).await;
    speak(first, &*one, &mut conversation).await;

    let requests = check_requests(first, second, &here);
    // All that only the first can read is there again when it goes back to it.
    let back = &requests[first.replies.len()];
    assert_eq!(marks(first, back), first.marks);
    let requests = check_requests(second, first, &there);
    assert_eq!(requests.len(), second.replies.len());
}

#[tokio::test]
async fn every_pair_of_providers_continues_and_goes_back() {
    let speakers = speakers();
    for first in &speakers {
        for second in &speakers {
            eprintln!("{}, then {}", first.name, second.name);
            let mut second = second.clone();
            // Another server of the same vendor knows nothing of what the first one has said.
            second.rename();
            check_pair(first, &second).await;
        }
    }
}
