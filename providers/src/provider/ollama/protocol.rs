//! The codec as a protocol.

use serde::Serialize;

use super::{PROVIDER, reply::Reply, request::Body, tools::Form};
use crate::codec::protocol::{BodyInput, Protocol};

/// Ollama's own chat.
#[derive(Debug, Clone)]
pub(crate) struct Chat;

impl Protocol for Chat {
    const PROVIDER: &'static str = PROVIDER;

    type Form = Form;
    type Reply = Reply;

    fn body(asked: BodyInput<'_>) -> impl Serialize {
        Body::new(asked)
    }
}
