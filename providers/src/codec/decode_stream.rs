//! Definition of a decoder of streamed replies.

use toolwright_core::model::{ModelError, ModelErrorKind, ModelEvent};

/// Decodes one streamed response, however its bytes are cut.
///
/// [`feed`](Self::feed) it what comes, then [`finish`](Self::finish) it at the end of the stream or as
/// soon as it [is done](Self::is_done). Three methods make a decoder; the others say more of it to an
/// [`HttpModel`](crate::provider::HttpModel).
pub trait DecodeStream: Send {
    /// Takes the next bytes and adds the events they make.
    ///
    /// In the decoders of this crate an error that the provider reports within the stream ends the
    /// response: the decoder [is done](Self::is_done), and [`finish`](Self::finish) returns the error. Of
    /// what follows only usage is read. Another decoder may return the error at once.
    ///
    /// # Errors
    ///
    /// Returns `MalformedResponse` if the bytes do not have the format that the provider documents. The
    /// rest of the stream cannot be read then.
    fn feed(&mut self, bytes: &[u8], events: &mut Vec<ModelEvent>) -> Result<(), ModelError>;

    /// Returns true if the server has sent its end marker or an error.
    fn is_done(&self) -> bool;

    /// Ends the response and adds its last events.
    ///
    /// # Errors
    ///
    /// Returns the error that the provider reported within the stream; `Transport` if the stream
    /// ended before the response did, with the events up to there; `MalformedResponse` if the bytes
    /// are not a stream.
    fn finish(self, events: &mut Vec<ModelEvent>) -> Result<(), ModelError>
    where
        Self: Sized;

    /// Ends a response whose body has ended as HTTP says, or broke off with `failure`, and adds its last
    /// events. A response that [was complete](Self::is_complete) before stays complete, and an error that
    /// the provider reported comes before `failure`. An error of [`feed`](Self::feed) is a `failure` too.
    ///
    /// # Errors
    ///
    /// Returns `failure` in place of the `Transport` error of [`finish`](Self::finish), else the errors of
    /// that method.
    fn finish_body(
        self,
        failure: Option<ModelError>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ModelError>
    where
        Self: Sized,
    {
        let was_complete = self.is_complete();
        match (self.finish(events), failure) {
            (Ok(()), Some(failure)) if !was_complete => Err(failure),
            (Err(error), Some(failure)) if error.kind == ModelErrorKind::Transport => Err(failure),
            (result, _) => result,
        }
    }

    /// Returns true if the response is complete: the server has given the reason for its end, or
    /// has sent its end marker. What may still follow, such as usage, is waited for shortly.
    ///
    /// A response that an error ended before is incomplete.
    fn is_complete(&self) -> bool {
        self.is_done()
    }

    /// Returns true if the server has sent its end marker. No more is read then.
    fn is_over(&self) -> bool {
        self.is_done()
    }

    /// Returns true if the server has reported an error. Only usage may follow.
    fn has_failed(&self) -> bool {
        false
    }

    /// Returns true if more of the answer may come after the response is [complete](Self::is_complete),
    /// since the server repeats the reason for its end.
    fn may_continue(&self) -> bool {
        false
    }

    /// Sets the maximum length of one event in bytes. A decoder that keeps incomplete events should obey.
    fn set_event_limit(&mut self, _bytes: usize) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A protocol whose replies end where the body ends, or after a `.`.
    struct Plain {
        is_done: bool,
    }

    impl DecodeStream for Plain {
        fn feed(&mut self, bytes: &[u8], _: &mut Vec<ModelEvent>) -> Result<(), ModelError> {
            self.is_done |= bytes.ends_with(b".");
            Ok(())
        }

        fn is_done(&self) -> bool {
            self.is_done
        }

        fn finish(self, _: &mut Vec<ModelEvent>) -> Result<(), ModelError> {
            Ok(())
        }
    }

    #[test]
    fn a_reply_that_broke_off_is_whole_only_if_it_was_complete() {
        let lost = |kind| ModelError::new(kind, "lost");
        for (text, failure, expected) in [
            ("a", None, None),
            ("a.", Some(ModelErrorKind::Transport), None),
            (
                "a",
                Some(ModelErrorKind::Transport),
                Some(ModelErrorKind::Transport),
            ),
            (
                "a",
                Some(ModelErrorKind::MalformedResponse),
                Some(ModelErrorKind::MalformedResponse),
            ),
        ] {
            let mut decoder = Plain { is_done: false };
            let mut events = Vec::new();
            decoder.feed(text.as_bytes(), &mut events).unwrap();
            let ended = decoder.finish_body(failure.map(lost), &mut events);
            assert_eq!(ended.err().map(|error| error.kind), expected, "{text}");
        }
    }
}
