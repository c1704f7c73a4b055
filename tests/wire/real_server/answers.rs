//! Typed answers of a real inference server, by the grammar that it makes of their schema.
//!
//! The supplied model writes the smallest value that the grammar lets it write, and "All done." where there is none: an
//! answer that fits shows that the schema was sent, understood and kept to.

use libtest_mimic::Trial;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::json;
use toolwright::{ChatModel, OpenAiChat, Runner, ToolInput, run::AnswerMeans};

use super::PROTOCOLS;

/// A place.
#[derive(Serialize, Deserialize, ToolInput)]
struct Place {
    /// Its name.
    name: String,
    /// Its height in metres, if it is known.
    height: Option<i32>,
    /// The kinds of it.
    kinds: Vec<Kind>,
    /// How one gets there, if one does.
    way: Option<Way>,
}

/// A kind of place.
#[derive(Serialize, Deserialize, ToolInput)]
enum Kind {
    City,
    Lake,
}

/// A way to a place.
#[derive(Serialize, Deserialize, ToolInput)]
#[serde(tag = "kind")]
enum Way {
    Train { line: String, minutes: u32 },
    Foot,
}

/// Asks the server of a base URL, streamed or not.
type Ask = fn(&str, bool);

pub(super) fn trials(url: Option<&str>) -> Vec<Trial> {
    let ways: [(&str, Ask); 2] = [("schema", by_schema), ("tool", by_tool)];
    let mut trials = Vec::new();
    for (means, ask) in ways {
        for (way, streaming) in [("plain", false), ("streamed", true)] {
            let of_url = url.unwrap_or_default().to_owned();
            let name = format!("real-server::answers_by_{means}_{way}");
            let ask = move || {
                ask(&of_url, streaming);
                Ok(())
            };
            trials.push(Trial::test(name, ask).with_ignored_flag(url.is_none()));
        }
    }
    trials
}

/// In the one protocol in which this server reads the schema of an answer.
fn by_schema(url: &str, streaming: bool) {
    let model: Box<dyn ChatModel> = Box::new(OpenAiChat::new("m", "").with_base_url(url));
    ask_all(model, AnswerMeans::Schema, streaming);
}

/// In each protocol, as the arguments of a tool.
fn by_tool(url: &str, streaming: bool) {
    for (_, model) in PROTOCOLS {
        let means = AnswerMeans::Tool("final_answer".to_owned());
        ask_all(model(url), means, streaming);
    }
}

fn ask_all(model: Box<dyn ChatModel>, means: AnswerMeans, streaming: bool) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("there is a runtime");
    let runner = Runner::builder(model).streaming(streaming);
    let runner = runner.answer_means(means).build().expect("is consistent");
    runtime.block_on(async {
        ask::<Place>(&runner).await;
        ask::<Kind>(&runner).await;
        ask::<Way>(&runner).await;
        ask::<Vec<Place>>(&runner).await;
        ask::<Vec<u32>>(&runner).await;
        ask::<Option<Kind>>(&runner).await;
        ask::<(String, u8)>(&runner).await;
        ask::<f64>(&runner).await;
        ask::<bool>(&runner).await;
        ask::<String>(&runner).await;
    });
}

async fn ask<T>(runner: &Runner)
where
    T: ToolInput + toolwright::runner::TypedAnswer + Serialize + DeserializeOwned + Send + 'static,
{
    let name = std::any::type_name::<T>();
    let answer = runner
        .request("Where should I go?")
        .answer_as::<T>()
        .run()
        .await;
    let answer = answer.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(answer.outcome.corrections, 0, "{name}");
    eprintln!("real-server: {name}: {}", json!(answer.value));
}
