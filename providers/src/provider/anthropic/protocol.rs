//! The codec as a protocol.

use serde::Serialize;

use super::{PROVIDER, reply::Reply, request::Body, tools::Form};
use crate::codec::protocol::{BodyInput, Protocol};

/// Anthropic Messages.
#[derive(Debug, Clone)]
pub(crate) struct Messages;

impl Protocol for Messages {
    const PROVIDER: &'static str = PROVIDER;

    type Form = Form;
    type Reply = Reply;

    fn body(asked: BodyInput<'_>) -> impl Serialize {
        Body::new(asked)
    }
}
