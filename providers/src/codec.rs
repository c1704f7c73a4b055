//! Parts that all codecs share: they build the body of a request, and read the body of a response.

pub(crate) mod alternatives;
pub(crate) mod api;
pub(crate) mod body_fields;
pub(crate) mod body_input;
pub(crate) mod decode_stream;
pub(crate) mod dialect;
pub(crate) mod encode_input;
pub(crate) mod encoded_round;
pub(crate) mod error_body;
pub(crate) mod error_response;
pub(crate) mod exchange;
pub(crate) mod few;
pub(crate) mod function_tool;
pub(crate) mod joining;
pub(crate) mod latest_report;
pub(crate) mod metadata;
pub(crate) mod opaque_fields;
pub(crate) mod partial_object;
pub(crate) mod protocol;
pub(crate) mod quirks;
pub(crate) mod response_reader;
pub(crate) mod restore_arguments;
pub(crate) mod server;
pub(crate) mod stream_reader;
pub(crate) mod tool_choice;
pub(crate) mod tool_list;
