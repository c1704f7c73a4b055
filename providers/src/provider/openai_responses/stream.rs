//! A streamed reply, from its bytes.

use super::reply::Reply;
use crate::codec::stream_reader;

/// Decodes a streamed reply, however its bytes are cut.
///
/// Feed it what comes, then [`finish`](crate::provider::DecodeStream::finish) it at the end of the stream or as soon as it
/// [is done](crate::provider::DecodeStream::is_done).
///
/// ```
/// use toolwright::{ModelResponse, provider::{DecodeStream, openai_responses::StreamDecoder}};
///
/// let mut events = Vec::new();
/// let mut decoder = StreamDecoder::new();
/// for bytes in [
///     &b"data: {\"type\": \"response.output_text.delta\", \"output_index\": 0, \"delta\": \"Hel"[..],
///     b"lo\"}\n\ndata: {\"type\": \"response.completed\", \"response\": {\"status\": \"completed\"}}\n\n",
/// ] {
///     decoder.feed(bytes, &mut events)?;
/// }
/// assert!(decoder.is_done());
/// decoder.finish(&mut events)?;
///
/// let reply: ModelResponse = events.into_iter().collect();
/// assert_eq!(reply.text, "Hello");
/// # Ok::<(), toolwright::ModelError>(())
/// ```
///
/// A server that answers with a whole reply although a stream was asked for is understood too.
pub type StreamDecoder = stream_reader::StreamDecoder<Reply>;
