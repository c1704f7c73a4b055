//! The codec as a protocol.

use super::{PROVIDER, reply::Reply, request::Body, tools::Form, warnings};
use crate::{
    model::{ModelRequest, Warning},
    wire::protocol::{Asked, Protocol},
};

/// Anthropic Messages.
#[derive(Debug)]
pub(crate) struct Messages;

impl Protocol for Messages {
    const PROVIDER: &'static str = PROVIDER;

    type Form = Form;
    type Reply = Reply;

    fn encode(asked: Asked<'_>) -> Vec<u8> {
        Body::new(asked).into_json()
    }

    fn warnings(request: &ModelRequest) -> Vec<Warning> {
        warnings(request)
    }
}
