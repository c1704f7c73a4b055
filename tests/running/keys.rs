//! A key that a server writes back is in no error, wherever it stands and whatever else is broken.

use toolwright::{
    Anthropic, ChatModel, Gemini, ModelError, Ollama, OpenAiChat, OpenAiResponses, model::collect,
};

use crate::{
    fuzzed::answers,
    loopback::{Answer, Server},
    mutation::{Random, damage},
    openai_chat::request,
};

const KEY: &str = "sk-0123456789-abcdefghij";

/// The model of a codec, and what its server answers.
type Subject = (fn(String) -> Box<dyn ChatModel>, &'static [&'static str]);

const SUBJECTS: [Subject; 5] = [
    (
        |url| Box::new(OpenAiChat::new("m", KEY).with_base_url(url)),
        answers::CHAT,
    ),
    (
        |url| Box::new(OpenAiResponses::new("m", KEY).with_base_url(url)),
        answers::RESPONSES,
    ),
    (
        |url| Box::new(Anthropic::new("m", KEY).with_base_url(url)),
        answers::ANTHROPIC,
    ),
    (
        |url| Box::new(Gemini::new("m", KEY).with_base_url(url)),
        answers::GEMINI,
    ),
    (
        |url| Box::new(Ollama::new("m").with_api_key(KEY).with_base_url(url)),
        answers::OLLAMA,
    ),
];

/// An error shows no more than the first half of the key.
fn check(error: &ModelError, answer: &str) {
    let stored = serde_json::to_string(error).expect("can be stored");
    for shown in [format!("{error:?}"), error.to_string(), stored] {
        let half = &KEY[..KEY.len() / 2];
        assert!(!shown.contains(half), "{shown}\nof {answer}");
    }
}

/// A damaged answer with the key in it, as the server gives it.
fn damaged(own: &[&str], random: &mut Random) -> (String, Answer) {
    let seeds: Vec<_> = own.iter().chain(answers::ANY).collect();
    let mut answer = seeds[random.below(seeds.len())].as_bytes().to_vec();
    damage(&mut answer, random);
    let at = random.below(answer.len() + 1);
    answer.splice(at..at, KEY.bytes());
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = ["200 OK", "400 Bad Request", "429 Too Many Requests"][random.below(3)];
    let kind = ["application/json", "text/event-stream"][random.below(2)];
    let http = Answer::http(status, kind, &answer);
    (answer, http)
}

#[tokio::test]
async fn what_a_server_writes_back_is_hidden() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut errors = 0;
    for (model, own) in SUBJECTS {
        let damaged: Vec<_> = (0..150).map(|_| damaged(own, &mut random)).collect();
        let twice = damaged
            .iter()
            .flat_map(|(_, http)| [http.clone(), http.clone()]);
        let server = Server::start(twice.collect()).await;
        let model = model(server.base_url());
        let request = request();
        for (answer, _) in &damaged {
            let whole = model.complete(&request).await;
            let mut streamed = collect(model.stream(&request)).await;
            if let Err(error) = &mut streamed {
                // What came before the error has been told already, as the server said it.
                error.partial = None;
            }
            for error in [whole, streamed].into_iter().filter_map(Result::err) {
                check(&error, answer);
                errors += 1;
            }
        }
    }
    assert!(errors > 500, "{errors} errors are few");
}

/// How a server writes a text.
type Way = fn(&str) -> String;

fn field(name: &str, text: &str) -> String {
    serde_json::json!({"error": {name: text}}).to_string()
}

#[tokio::test]
async fn a_key_that_is_cut_is_hidden() {
    let ways: [(usize, Way); 4] = [
        (4_096, |text| field("message", text)),
        (256, |text| field("code", text)),
        (256, |text| field("type", text)),
        // Of what is no JSON the beginning is shown.
        (200, str::to_owned),
    ];
    let cut = ways.into_iter().flat_map(|(limit, way)| {
        let before = limit - KEY.len()..=limit;
        before.map(move |before| way(&format!("{}{KEY}{KEY}", "x".repeat(before))))
    });
    let cut: Vec<_> = cut.collect();
    let http = |answer: &String| Answer::http("400 Bad Request", "application/json", answer);
    let server = Server::start(cut.iter().map(http).collect()).await;
    let model = SUBJECTS[0].0(server.base_url());
    for answer in &cut {
        let error = model.complete(&request()).await.expect_err("is refused");
        check(&error, answer);
    }
}
