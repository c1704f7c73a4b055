//! Answers of declared types, which the double says as the test has it: right ones, and wrong ones before them.

use std::{collections::BTreeMap, fmt::Debug};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use toolwright::{ChatModel, Runner, ToolInput, Toolset, model::ModelEvent, runner::RunEvent};

use super::{super::double::Server, ByTool, Codec};
use crate::exhaustive::one_of;

/// A journey.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToolInput)]
struct Journey {
    /// Where it goes.
    stops: Vec<Stop>,
    /// What it may cost, if that is known.
    budget: Option<Budget>,
    /// What is to be packed. A part that is not known is null.
    luggage: Option<Vec<Option<String>>>,
}

/// A place of a journey.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToolInput)]
struct Stop {
    /// Its name.
    name: String,
    /// For how many nights.
    #[tool(range(1..=30))]
    nights: u8,
    /// How one gets there.
    by: By,
}

/// A sum of money.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToolInput)]
struct Budget {
    /// How much it is.
    amount: f64,
    /// The currency, if it is not the euro.
    currency: Option<String>,
}

/// A way to travel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToolInput)]
#[serde(rename_all = "snake_case", tag = "kind")]
enum By {
    Train,
    Flight {
        /// The number of the flight.
        number: String,
    },
}

/// Where answers are asked for.
struct Asks<'a> {
    codec: Codec,
    server: &'a Server,
    runtime: tokio::runtime::Runtime,
    /// The number of values that were asked for.
    asked: u64,
}

/// Asks for values of many types in every way, and gives the number of requests that this takes at least.
pub(crate) fn check(codec: Codec, server: &Server) -> u64 {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("there is a runtime");
    let mut asks = Asks {
        codec,
        server,
        runtime,
        asked: 0,
    };
    let stop = |nights, by| Stop {
        name: "Røros \"north\"\n".to_owned(),
        nights,
        by,
    };
    let number = "SK 4120".to_owned();
    let (train, flight) = (By::Train, By::Flight { number });
    let all = Journey {
        stops: vec![stop(1, train.clone()), stop(30, flight.clone())],
        budget: Some(Budget {
            amount: 99.5,
            currency: Some("NOK".to_owned()),
        }),
        luggage: Some(vec![None, Some("boots".to_owned())]),
    };
    let none = Journey {
        stops: Vec::new(),
        budget: None,
        luggage: None,
    };
    let mut too_long = json!(all);
    too_long["stops"][1]["nights"] = 31.into();
    asks.ask(&all, &too_long);
    asks.ask(&none, &json!({"budget": null, "luggage": null}));
    asks.ask(&vec![stop(2, train.clone())], &json!([{"name": "Oslo"}]));
    asks.ask(&vec![3_u32, 5, 7], &json!([3, -5, 7]));
    asks.ask(&vec![Some(2.5), None], &json!([2.5, "none"]));
    asks.ask(&-2.5_f64, &json!("little"));
    asks.ask(&i64::MIN, &json!(0.5));
    asks.ask(&u8::MAX, &json!(256));
    asks.ask(&true, &json!("perhaps"));
    asks.ask(&"Ja.".to_owned(), &json!(["Ja."]));
    asks.ask(&Some(train.clone()), &json!({"kind": "boat"}));
    asks.ask(&None::<By>, &json!({"kind": "flight"}));
    asks.ask(&flight, &json!({"number": "SK 4120"}));
    let fares = BTreeMap::from([("Oslo".to_owned(), 499_u32)]);
    asks.ask(&fares, &json!({"Oslo": "cheap"}));
    asks.ask(&("Oslo".to_owned(), 3_u8), &json!(["Oslo"]));
    eprintln!("{codec:?}: {} values of declared types", asks.asked);
    // One that is mended, and one that is given up.
    asks.asked * (2 + 3)
}

impl Asks<'_> {
    fn ask<T>(&mut self, right: &T, wrong: &Value)
    where
        T: ToolInput
            + toolwright::runner::TypedAnswer
            + Serialize
            + DeserializeOwned
            + PartialEq
            + Debug
            + Send
            + 'static,
    {
        let right_text = json!(right);
        // With tools or none, streamed or not, by a tool or natively.
        for way in (0..8).step_by(one_of(3)) {
            let (has_tools, streaming, by_tool) = (way & 4 != 0, way & 2 != 0, way & 1 != 0);
            let tools = if has_tools {
                self.codec.tools()
            } else {
                Toolset::new()
            };
            let runner = self.runner(tools, streaming, by_tool);
            self.mended(&runner, streaming, right, [wrong, &right_text]);
            self.given_up::<T>(&runner, wrong);
            self.asked += 1;
        }
    }

    fn runner(&self, tools: Toolset, streaming: bool, by_tool: bool) -> Runner {
        let url = self.server.url();
        let model = match (self.codec, streaming) {
            (Codec::Gemini, true) => self.codec.model("gemini-3-sim-text".to_owned(), &url),
            _ => self.codec.model("sim-text".to_owned(), &url),
        };
        let model: Box<dyn ChatModel> = if by_tool {
            Box::new(ByTool(model))
        } else {
            model
        };
        let runner = Runner::builder(model).tools(tools).streaming(streaming);
        runner.build().expect("is sound")
    }

    /// A wrong answer is told to the model, which mends it.
    fn mended<T>(&self, runner: &Runner, streaming: bool, right: &T, said: [&Value; 2])
    where
        T: ToolInput
            + toolwright::runner::TypedAnswer
            + DeserializeOwned
            + PartialEq
            + Debug
            + Send
            + 'static,
    {
        for said in said {
            self.server.say(&answer::<T>(said));
        }
        let mut handle = runner.request("Go on.").answer_as::<T>().start();
        let answer = self.runtime.block_on(async {
            let mut pieces = 0;
            while let Some(event) = handle.next().await {
                let piece = matches!(
                    event,
                    RunEvent::Delta(ModelEvent::Text(_) | ModelEvent::CallArguments { .. })
                );
                pieces += usize::from(piece);
            }
            assert!(pieces > 0 || !streaming, "nothing was streamed");
            handle.answer().await
        });
        let answer = answer.unwrap_or_else(|error| panic!("{:?}: {said:?}: {error}", self.codec));
        assert_eq!(answer.value, *right, "{:?}", self.codec);
        assert_eq!(answer.outcome.corrections, 1, "{:?}: {said:?}", self.codec);
    }

    /// A wrong answer is given up when it was told twice. The error has the text.
    fn given_up<T>(&self, runner: &Runner, wrong: &Value)
    where
        T: ToolInput + toolwright::runner::TypedAnswer + DeserializeOwned + Debug + Send + 'static,
    {
        let wrong = answer::<T>(wrong);
        for _ in 0..3 {
            self.server.say(&wrong);
        }
        let error = self
            .runtime
            .block_on(runner.request("Go on.").answer_as::<T>().run());
        let error = error.expect_err("none fits");
        let (text, reason) = error.unfit().expect("it does not fit");
        let [text, wrong] =
            [text, &wrong].map(|text| serde_json::from_str::<Value>(text).expect("it is JSON"));
        assert_eq!(text, wrong, "{:?}", self.codec);
        assert!(!reason.is_empty());
        assert_eq!(error.outcome().model_calls, 3, "{:?}", self.codec);
    }
}

/// What a model writes for a value of a type: an object, whatever the type is.
fn answer<T: 'static>(value: &Value) -> String {
    let is_plain = std::any::TypeId::of::<T>() == std::any::TypeId::of::<Journey>();
    if is_plain {
        value.to_string()
    } else {
        json!({"answer": value}).to_string()
    }
}
