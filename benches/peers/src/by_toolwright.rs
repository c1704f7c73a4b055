use toolwright::{Dispatch, OpenAiChat, Runner, ToolCall, ToolContext, Toolset, toolset};

use crate::quoted_trip::book_trip;

pub fn tools() -> Toolset {
    toolset![book_trip]
}

pub fn runner(url: &str, streamed: bool) -> Runner {
    Runner::builder(OpenAiChat::new("m", "key").with_base_url(url))
        .tools(tools())
        .streaming(streamed)
        .max_rounds(60)
        .no_progress(false)
        .build()
        .expect("is a runner")
}

pub async fn run(runner: &Runner, turns: usize) -> String {
    let outcome = runner.run("Book it.").await.expect("ends");
    assert_eq!(usize::try_from(outcome.rounds), Ok(turns));
    outcome.text
}

pub struct Tools(Toolset, ToolContext);

impl Tools {
    pub fn new() -> Self {
        Self(tools(), ToolContext::default())
    }

    pub async fn call(&self, args: &str) -> String {
        let call = ToolCall::new("call_1", "book_trip", args);
        let result = self.0.call(&call, &self.1).await;
        result.to_model_text().into_owned()
    }
}
