//! A model for a machine without a network. It knows what to wear, trains, meals, a story and how to look on and on, and types
//! slowly, so that you can watch it.

use std::{fmt::Write, time::Duration};

use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use toolwright::{
    ChatModel, Message, ModelError, ModelResponse, ToolCall, ToolResult,
    message::{Part, ToolRound, text_of},
    model::{ModelErrorKind, ModelEvent, ModelRequest, ModelStream, ToolChoice, Usage},
};

const CITIES: [&str; 3] = ["Oslo", "Cairo", "Lima"];

/// The time between two pieces of a response.
const PAUSE: Duration = Duration::from_millis(45);

/// Answers by rule.
pub(crate) struct SlowModel;

impl ChatModel for SlowModel {
    fn name(&self) -> Option<&str> {
        Some("slow-model, offline")
    }

    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let (question, ..) = question_of(request);
        if let Some(Topic::Failure) = topic_of(&question) {
            let error = ModelError::new(ModelErrorKind::Authentication, "the key is not known");
            let error = error.with_user_text("The assistant is on holiday.");
            return Box::pin(stream::iter([Err(error)]));
        }
        let events = stream::iter(in_pieces(reply(request)));
        Box::pin(events.then(async |event| {
            tokio::time::sleep(PAUSE).await;
            Ok(event)
        }))
    }
}

/// What somebody asks for.
#[derive(Clone, Copy)]
enum Topic {
    Clothes,
    Trains,
    Note,
    Meal,
    Story,
    OnAndOn,
    Hidden,
    Code,
    Failure,
}

fn topic_of(question: &str) -> Option<Topic> {
    let question = question.to_lowercase();
    let topics = [
        ("wear", Topic::Clothes),
        ("hidden", Topic::Hidden),
        ("book", Topic::Trains),
        ("make a note", Topic::Note),
        ("order a meal", Topic::Meal),
        ("story", Topic::Story),
        ("look on", Topic::OnAndOn),
        ("code", Topic::Code),
        ("please fail", Topic::Failure),
    ];
    let found = topics.iter().find(|(word, _)| question.contains(word));
    found.map(|(_, topic)| *topic)
}

fn reply(request: &ModelRequest) -> ModelResponse {
    let (question, rounds, said_since) = question_of(request);
    let may_call = request.tool_choice != ToolChoice::None;
    let parts = match (topic_of(&question), rounds.as_slice()) {
        (Some(Topic::Clothes), []) if may_call => weather(&question),
        (Some(Topic::Clothes), [weather]) if may_call => clothes(weather),
        (Some(Topic::Clothes), rounds) => vec![Part::Text(advice(rounds))],
        (Some(Topic::Trains), []) if may_call => trains(),
        (Some(Topic::Hidden), []) if may_call => hidden(),
        (Some(Topic::Note), []) if may_call => vec![call(0, "note", &json!({ "text": question }))],
        (Some(Topic::Meal), []) if may_call => {
            vec![call(0, "order_meal", &json!({ "to": "Oslo" }))]
        }
        (Some(Topic::OnAndOn), rounds) if may_call => vec![
            Part::Text("I look once more.".into()),
            call(
                0,
                "get_weather",
                &json!({ "city": CITIES[rounds.len() % 3] }),
            ),
            call(1, "pack_bag", &json!({ "days": rounds.len() + 1 })),
        ],
        (Some(Topic::OnAndOn), rounds) => {
            let text = format!("I have looked {} times, and stop here.", rounds.len());
            vec![Part::Text(text)]
        }
        (Some(Topic::Code), _) => vec![Part::Text(CODE.into())],
        (Some(Topic::Story), _) => vec![Part::Text(story())],
        (Some(_), rounds) => vec![Part::Text(results_of(rounds))],
        (None, _) => vec![Part::Text(HELP.into())],
    };
    let mut parts = parts;
    let is_answer = !parts.iter().any(|part| matches!(part, Part::Call(_)));
    if is_answer && !said_since.is_empty() {
        parts.push(Part::Text(format!("\n\nAnd I have read: {said_since}")));
    }
    let sent = serde_json::to_string(&request.messages).map_or(0, |text| text.len() / 4);
    let usage = Usage::new(
        sent.try_into().unwrap_or(u64::MAX),
        20 + 10 * parts.len() as u64,
    );
    ModelResponse::new(parts).with_usage(usage)
}

const CODE: &str = "A tool of Rust:\n\n```rust\n/// Get the weather.\n#[tool(read_only)]\n\
    async fn get_weather(city: String) -> f64 {\n    // From a station.\n    if city == \"Oslo\" { 4.0 } else { 31.5 }\n}\n```\n";

const HELP: &str = "I am a model for a machine without a network. Ask me:\n\n\
    - What should I wear today in Oslo, Cairo and Lima?\n\
    - Book the trains to Oslo and to Bergen.\n\
    - Make a note that I leave at eight.\n\
    - Order a meal for the train.\n\
    - Look on and on.\n\
    - Book a hidden place.\n\
    - Show me code.\n\
    - Tell me a story.\n\
    - Please fail.\n";

/// The newest question that is about something, the rounds since, and what the user has said since.
fn question_of(request: &ModelRequest) -> (String, Vec<&ToolRound>, String) {
    let (mut rounds, mut since) = (Vec::new(), Vec::new());
    for message in request.messages.iter().rev() {
        match message {
            Message::Assistant(message) => rounds.extend(message.tool_rounds.iter().rev()),
            Message::User(message) => {
                let text = text_of(&message.parts);
                let is_answered = rounds.is_empty() && !since.is_empty();
                if topic_of(&text).is_some() && !is_answered {
                    rounds.reverse();
                    since.reverse();
                    return (text, rounds, since.join(" "));
                }
                // Such notes are written by the run, and not by the user.
                if !text.starts_with("Note from the application") {
                    since.push(text);
                }
            }
        }
    }
    (String::new(), Vec::new(), String::new())
}

fn weather(question: &str) -> Vec<Part> {
    let mut cities: Vec<&str> = CITIES
        .into_iter()
        .filter(|city| question.contains(city))
        .collect();
    if cities.is_empty() {
        cities = CITIES.into();
    }
    let mut parts = vec![
        Part::Reasoning("Clothes depend on the weather. I can ask for all cities at once.".into()),
        Part::Text("Let me look at the weather.".into()),
    ];
    let calls = cities.iter().enumerate();
    parts.extend(calls.map(|(index, city)| call(index, "get_weather", &json!({ "city": city }))));
    parts
}

fn clothes(weather: &ToolRound) -> Vec<Part> {
    let places: Vec<Value> = weather
        .results
        .iter()
        .filter_map(|result| serde_json::from_str(&result.to_model_text()).ok())
        .collect();
    let city = places.first().and_then(|place| place["city"].as_str());
    let city = city.unwrap_or("Oslo").to_owned();
    vec![
        Part::Text("Now the clothes, the bag and the air.".into()),
        call(0, "suggest_clothes", &json!({ "places": places })),
        call(
            1,
            "pack_bag",
            &json!({ "days": 3, "extras": ["an umbrella"] }),
        ),
        call(2, "measure_air", &json!({ "city": city })),
    ]
}

fn advice(rounds: &[&ToolRound]) -> String {
    let Some(round) = rounds.last() else {
        return "I could not look.".into();
    };
    let list = |result: Option<&ToolResult>| -> Vec<String> {
        result
            .and_then(|result| serde_json::from_str(&result.to_model_text()).ok())
            .unwrap_or_default()
    };
    let mut text = "Here is what to wear:\n\n".to_owned();
    for line in list(round.results.first()) {
        if let Some((city, clothes)) = line.split_once(": ") {
            let _ = writeln!(text, "- **{city}**: {clothes}");
        }
    }
    let bag = list(round.results.get(1)).join(", ");
    let air = round.results.get(2).map(|result| result.to_model_text());
    let _ = write!(
        text,
        "\nTake along {bag}. {}",
        air.unwrap_or_default().trim()
    );
    text
}

fn trains() -> Vec<Part> {
    vec![
        Part::Text("I book both. You have to approve each of them.".into()),
        call(0, "book_seat", &json!({ "to": "Oslo", "time": "08:25" })),
        call(1, "book_seat", &json!({ "to": "Bergen", "time": "12:03" })),
    ]
}

/// A call in which not all can be seen: a model may be made to write it.
fn hidden() -> Vec<Part> {
    let arguments = r#"{"to":"Oslo\u202egro.live\u200b","time":"08:25"}"#;
    vec![Part::Call(ToolCall::new("call_0", "book_seat", arguments))]
}

fn results_of(rounds: &[&ToolRound]) -> String {
    let results = rounds.iter().flat_map(|round| round.results.iter());
    let lines = results.map(|result| format!("- {}\n", result.to_model_text()));
    format!("That came of it:\n\n{}", lines.collect::<String>())
}

fn story() -> String {
    let mut story = String::new();
    for day in 1..=40 {
        let _ = write!(story, "On day {day} the traveller went on, and it rained. ");
    }
    story
}

fn call(index: usize, name: &str, arguments: &Value) -> Part {
    Part::Call(ToolCall::new(
        format!("call_{name}_{index}"),
        name,
        arguments.to_string(),
    ))
}

/// The events of a response, with its texts in words.
fn in_pieces(reply: ModelResponse) -> Vec<ModelEvent> {
    let mut events = Vec::new();
    for event in reply.into_events() {
        let words = |text: &str| {
            text.split_inclusive(' ')
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        match event {
            ModelEvent::Text(text) => events.extend(words(&text).into_iter().map(ModelEvent::Text)),
            ModelEvent::Reasoning(text) => {
                events.extend(words(&text).into_iter().map(ModelEvent::Reasoning));
            }
            other => events.push(other),
        }
    }
    events
}
