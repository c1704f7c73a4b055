//! The codec as a protocol.

use serde::Serialize;

use super::{PROVIDER, reply::Reply, request::Body, tools::Form};
use crate::codec::protocol::{BodyInput, Protocol};

/// OpenAI Chat Completions.
#[derive(Debug, Clone)]
pub(crate) struct ChatCompletions;

impl Protocol for ChatCompletions {
    const PROVIDER: &'static str = PROVIDER;

    type Form = Form;
    type Reply = Reply;

    fn body(asked: BodyInput<'_>) -> impl Serialize {
        Body::new(asked)
    }
}
