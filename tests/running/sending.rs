//! How requests are sent: keys, hooks, time limits, compressed replies, proxies.

mod again;
mod alike;
mod cancelling;
mod compressed;
mod connections;
mod hooks;
mod http2;
mod keys;
mod proxies;
mod timeouts;

use toolwright::{ModelError, model::ModelErrorKind};

/// A whole reply in OpenAI's form.
const REPLY: &str = r#"{"choices":[{"message":{"content":"I am here."},"finish_reason":"stop"}]}"#;
/// The same as a stream.
const PIECE: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"I am \"}}]}\n\n";
const END: &str =
    "data: {\"choices\":[{\"delta\":{\"content\":\"here.\"},\"finish_reason\":\"stop\"}]}\n\n";

fn check_error(error: &ModelError, kind: ModelErrorKind, text: &str) {
    assert_eq!(error.kind, kind, "{error}");
    assert!(error.message.contains(text), "{error}");
    assert!(!format!("{error:?}").contains("secret"), "{error:?}");
}
