//! What a model cannot do is learnt from its provider's errors.

use toolwright::{
    ChatModel, Message, Ollama, Runner,
    model::{ModelCapabilities, ModelErrorKind, ModelRequest, collect},
    tool, toolset,
};

use crate::loopback::{Answer, Server};

/// Look around.
#[tool]
fn look() -> String {
    "a cat".to_owned()
}

/// What Ollama answers for a model without tools.
fn refusing() -> Answer {
    let body = r#"{"error": "registry.ollama.ai/library/gemma:2b does not support tools"}"#;
    Answer::http("400 Bad Request", "application/json", body)
}

fn request() -> ModelRequest {
    let tools = toolset![look];
    ModelRequest::new([Message::user("What do you see?")]).with_tools(tools.definitions().cloned())
}

#[tokio::test]
async fn a_model_that_takes_no_tools_is_known_from_then_on() {
    for is_streamed in [false, true] {
        let server = Server::start(vec![refusing()]).await;
        let model = Ollama::new("gemma:2b").with_base_url(server.base_url());
        let clone = model.clone();
        assert!(model.capabilities().tools, "nothing is known");

        let request = request();
        let reply = if is_streamed {
            collect(model.stream(&request)).await
        } else {
            model.complete(&request).await
        };
        let error = reply.expect_err("it is refused");
        assert_eq!(error.kind, ModelErrorKind::ToolsUnsupported);
        assert!(!model.capabilities().tools);
        assert!(!clone.capabilities().tools, "clones learn together");

        let built = Runner::builder(clone).tools(toolset![look]).build();
        let told = built.map(drop).map_err(|error| error.to_string());
        let expected = format!(
            "the model `{}` of the provider `{}` does not support tools: use another model, or no tools",
            model.name().expect("it has a name"),
            model.provider().expect("it has one"),
        );
        assert_eq!(told, Err(expected));
        let elsewhere = model.clone().with_base_url("http://127.0.0.1:9");
        assert!(elsewhere.capabilities().tools, "it is another model");
    }
}

#[tokio::test]
async fn what_is_set_is_not_learnt() {
    let without =
        Ollama::new("gemma:2b").with_capabilities(ModelCapabilities::new().with_tools(false));
    assert!(!without.capabilities().tools);

    let server = Server::start(vec![refusing()]).await;
    let model = Ollama::new("gemma:2b")
        .with_capabilities(ModelCapabilities::new())
        .with_base_url(server.base_url());
    model.complete(&request()).await.expect_err("it is refused");
    assert!(model.capabilities().tools);
}
