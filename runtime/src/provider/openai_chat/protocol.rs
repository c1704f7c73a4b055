//! The codec as a protocol.

use super::{PROVIDER, reply::Reply, request::Body, tools::Form};
use crate::wire::protocol::{Asked, Protocol};

/// OpenAI Chat Completions.
#[derive(Debug)]
pub(crate) struct ChatCompletions;

impl Protocol for ChatCompletions {
    const PROVIDER: &'static str = PROVIDER;

    type Form = Form;
    type Reply = Reply;

    fn encode(asked: Asked<'_>) -> Vec<u8> {
        Body::new(asked).into_json()
    }
}
