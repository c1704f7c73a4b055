//! Runs whose answer is a value of a type.

mod asked;
mod emulated;
mod ended;
mod guarded;
mod kept;
mod means;
mod mended;
mod read;
mod sent;

use serde::Deserialize;
use toolwright::{
    ChatModel, Message, ModelError, ModelResponse, Runner, ToolCall, ToolInput,
    message::Part,
    model::{ModelCapabilities, ModelRequest, ModelStream},
    runner::{Answer, AnswerError},
    testing::{ScriptedModel, ScriptedResponse},
    tool,
};

/// The weather of a city.
#[derive(Debug, Clone, PartialEq, Deserialize, ToolInput)]
struct Weather {
    /// The name of the city.
    city: String,
    /// The chance of rain, in percent.
    #[tool(range(0..=100))]
    rain: u8,
}

/// The topic of a message.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, ToolInput)]
#[serde(rename_all = "snake_case")]
enum Topic {
    Billing,
    Delivery,
}

/// Get the chance of rain in a city.
#[tool(read_only)]
fn get_rain(city: String) -> String {
    format!("{city}: 80 percent")
}

const OSLO: &str = r#"{"city": "Oslo", "rain": 80}"#;
/// It breaks a constraint.
const TOO_MUCH: &str = r#"{"city": "Oslo", "rain": 120}"#;

fn oslo() -> Weather {
    Weather {
        city: "Oslo".to_owned(),
        rain: 80,
    }
}

fn text(text: &str) -> ModelResponse {
    ModelResponse::from_text(text)
}

fn call(name: &str, arguments: &str) -> ModelResponse {
    ModelResponse::from_calls([ToolCall::new("a", name, arguments)])
}

fn given(arguments: &str) -> ModelResponse {
    call("final_answer", arguments)
}

/// A model that is asked through a tool.
fn by_tool<R: Into<ScriptedResponse>>(script: impl IntoIterator<Item = R>) -> ScriptedModel {
    ScriptedModel::new(script)
}

/// A model that takes the schema of an answer.
fn by_schema<R: Into<ScriptedResponse>>(script: impl IntoIterator<Item = R>) -> ScriptedModel {
    ScriptedModel::new(script).with_answer_schemas()
}

/// A model that takes neither tools nor schemas.
#[derive(Clone)]
struct Plain(ScriptedModel);

impl ChatModel for Plain {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        self.0.stream(request)
    }

    fn capabilities(&self) -> ModelCapabilities {
        ModelCapabilities::new().with_tools(false)
    }
}

fn runner(model: impl ChatModel) -> Runner {
    Runner::builder(model).build().expect("is whole")
}

/// Asks for the weather.
async fn weather(runner: &Runner) -> Result<Answer<Weather>, AnswerError> {
    runner.request("Rain?").answer_as().run().await
}

/// The texts of the last messages of a request, each with who said it.
fn last(request: &ModelRequest, count: usize) -> Vec<(&'static str, String)> {
    let messages = &request.messages[request.messages.len() - count..];
    let said = messages.iter().map(|message| match message {
        Message::User(message) => {
            let texts = message.parts.iter().filter_map(|part| match part {
                Part::Text(text) => Some(text.as_str()),
                _ => None,
            });
            ("user", texts.collect())
        }
        Message::Assistant(message) => ("assistant", message.text()),
    });
    said.collect()
}
