//! Runs to typed answers over the codecs against the double.

pub(crate) mod values;

use serde::Deserialize;
use toolwright::{
    ChatModel, ModelError, ModelResponse, Runner, ToolInput, Toolset,
    model::{ModelRequest, ModelStream},
    tool::BoxFuture,
};

use super::runs::Codec;

/// A place.
#[derive(Debug, Deserialize, ToolInput)]
struct Place {
    /// Its name.
    #[tool(length(1..))]
    name: String,
    /// Its height in metres, if it is known.
    height: Option<i32>,
    /// The kinds of it.
    kinds: Vec<Kind>,
}

/// A kind of place.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
enum Kind {
    City,
    Lake,
}

/// A model that is asked for its answer through a tool.
struct ByTool(Box<dyn ChatModel>);

impl ChatModel for ByTool {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        self.0.stream(request)
    }

    fn complete<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        self.0.complete(request)
    }
}

/// Asks for answers, plain and streamed, and gives the number of requests that this takes at least.
pub(crate) fn check(codec: Codec, url: &str) -> u64 {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("there is a runtime");
    let mut requests = 0;
    for streaming in [false, true] {
        let model = |script: &str| match (codec, streaming) {
            (Codec::Gemini, true) => codec.model(format!("gemini-3-sim-{script}"), url),
            _ => codec.model(format!("sim-{script}"), url),
        };
        for tools in [Toolset::new(), codec.tools()] {
            // What the double says fits nothing: it is told so twice.
            let runner = Runner::builder(model("text")).tools(tools);
            let runner = runner.streaming(streaming).build().expect("is sound");
            let error = runtime.block_on(runner.request("Where?").answer_as::<Place>().run());
            let error = error.expect_err("it is no answer");
            let text = error.unfit().expect("it does not fit").0;
            assert_eq!(text, "Hello from the double.", "{codec:?}");
            let error = runtime.block_on(runner.request("Which?").answer_as::<Kind>().run());
            assert_eq!(error.expect_err("no answer").outcome().model_calls, 3);
            requests += 6;
        }
        // It calls the first tool, with arguments that fit.
        let runner = Runner::builder(ByTool(model("tool"))).streaming(streaming);
        let runner = runner.build().expect("is sound");
        let place = runtime.block_on(runner.request("Where?").answer_as::<Place>().run());
        let place = place.expect("fits").value;
        assert!(
            !place.name.is_empty() && place.kinds.is_empty(),
            "{place:?}"
        );
        assert_eq!(place.height.unwrap_or(1), 1);
        let kind = runtime.block_on(runner.request("Which?").answer_as::<Kind>().run());
        assert_eq!(kind.expect("fits").value, Kind::City);
        requests += 2;
    }
    requests
}
