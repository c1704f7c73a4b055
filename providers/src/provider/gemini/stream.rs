//! A streamed reply, from its bytes.

use super::reply::Reply;
use crate::codec::stream_reader;

/// Decodes a streamed reply, however its bytes are cut.
///
/// Feed it what comes, then [`finish`](crate::provider::DecodeStream::finish) it at the end of the stream: nothing in it says
/// that no more comes.
///
/// ```
/// use toolwright::{ModelResponse, provider::{DecodeStream, gemini::StreamDecoder}};
///
/// let mut events = Vec::new();
/// let mut decoder = StreamDecoder::new();
/// for bytes in [
///     &b"data: {\"candidates\": [{\"content\": {\"parts\": [{\"te"[..],
///     b"xt\": \"Hello\"}]}, \"finishReason\": \"STOP\"}]}\r\n\r\n",
/// ] {
///     decoder.feed(bytes, &mut events)?;
/// }
/// assert!(decoder.is_complete());
/// decoder.finish(&mut events)?;
///
/// let reply: ModelResponse = events.into_iter().collect();
/// assert_eq!(reply.text, "Hello");
/// # Ok::<(), toolwright::ModelError>(())
/// ```
///
/// A whole reply, or the list of events that the API sends without `alt=sse`, is understood too, once
/// all of it has come.
pub type StreamDecoder = stream_reader::StreamDecoder<Reply>;
