//! From changes to chunks.

use super::{Frames, UiMessageStream, Version, send};
use crate::{
    reading::{Change, End, Kind, PlaceInRun},
    ui_message::{
        activity_chunks,
        chunk::{
            LimitData, UiFinishReason, UiMessageChunk, UsageData, UserData, VoidData, of_user,
        },
        client_json::readable,
    },
    warning::WarningData,
};
use toolwright_core::run::{Finish, RunId, UserFailure};

impl UiMessageStream {
    pub(super) fn project(&mut self, change: Change, frames: &mut Frames) {
        use UiMessageChunk as Chunk;
        match change {
            Change::StepStarted(_) => send(frames, Chunk::StartStep),
            Change::StepEnded(_) => send(frames, Chunk::FinishStep),
            Change::Opened(place, kind) => send(frames, opened(id_of(place), kind)),
            Change::Delta(place, kind, delta) => send(frames, more(id_of(place), kind, delta)),
            Change::Closed(place, kind) => send(frames, closed(id_of(place), kind)),
            Change::File { url, media_type } => send(
                frames,
                Chunk::File {
                    url,
                    media_type: media_type.unwrap_or_else(|| "image/*".to_owned()),
                },
            ),
            Change::Activity { place, activity } => {
                let scope = self.reading.run_id().map(RunId::as_str);
                let scope = scope.unwrap_or(&self.message_id);
                for chunk in activity_chunks::chunks(scope, &id_of(place), &activity) {
                    send(frames, chunk);
                }
            }
            Change::Void { step, calls } => self.void(step, calls, frames),
            Change::Said { number, message } => {
                let (id, parts) = (format!("said-{number}"), of_user(&message));
                let chunk = match self.version {
                    Version::Six => Chunk::DataUserMessage {
                        id,
                        data: UserData { parts },
                    },
                    Version::Seven => Chunk::SteeringMessage { id, parts },
                };
                send(frames, chunk);
            }
            Change::Transferred { call, data } => {
                let id = format!("transfer-{call}");
                send(frames, Chunk::DataTransfer { id, data });
            }
            Change::Retried(step) => {
                let (data, transient) = (VoidData { step }, true);
                send(frames, Chunk::DataRetry { data, transient });
            }
            Change::Finished(end) => self.finished(*end, frames),
            // The client knows both by the chunks before.
            Change::Kept(_) => {}
            change => self.project_call(change, frames),
        }
    }

    fn finished(&self, end: End, frames: &mut Frames) {
        use UiMessageChunk as Chunk;
        for (number, warning) in end.warnings.into_iter().enumerate() {
            let id = format!("warning-{number}");
            let data = WarningData::of(warning, self.tells_errors);
            send(frames, Chunk::DataWarning { id, data });
        }
        let (id, data) = ("usage".to_owned(), UsageData::from(&end.usage));
        send(frames, Chunk::DataUsage { id, data });
        if let Some(data) = end.answer.map(readable) {
            let id = "answer".to_owned();
            send(frames, Chunk::DataAnswer { id, data });
        }
        let failure = end.failure;
        let failure = failure.map(|failure| self.failure_texts.apply(failure));
        if let Some(data) = failure.clone() {
            let id = "failure".to_owned();
            send(frames, Chunk::DataFailure { id, data });
        }
        self.finish(&end.finish, failure, frames);
    }

    fn finish(&self, finish: &Finish, shown: Option<UserFailure>, frames: &mut Frames) {
        use UiMessageChunk as Chunk;
        let finish_reason = match finish {
            Finish::Answered => UiFinishReason::Stop,
            Finish::Truncated => UiFinishReason::Length,
            Finish::Refused | Finish::Filtered | Finish::InputRefused => {
                UiFinishReason::ContentFilter
            }
            Finish::Suspended => UiFinishReason::ToolCalls,
            Finish::Limit { limit, summarized } => {
                let data = LimitData {
                    limit: *limit,
                    message: limit.to_string(),
                    summarized: *summarized,
                };
                let id = "limit".to_owned();
                send(frames, Chunk::DataLimitReached { id, data });
                UiFinishReason::Other
            }
            Finish::Cancelled => {
                let reason = Some("The run was cancelled.".to_owned());
                return send(frames, Chunk::Abort { reason });
            }
            Finish::Failed(failure) => {
                let error_text = match shown {
                    _ if self.tells_errors => failure.to_string(),
                    Some(shown) => shown.message,
                    None => self.failure_texts.stopped().message,
                };
                send(frames, Chunk::Error { error_text });
                UiFinishReason::Error
            }
            // `Finish::Stopped` and `Finish::Empty` among them.
            _ => UiFinishReason::Other,
        };
        send(frames, Chunk::Finish { finish_reason });
    }
}

fn id_of(place: PlaceInRun) -> String {
    format!("{}-{}", place.step, place.part)
}

fn opened(id: String, kind: Kind) -> UiMessageChunk {
    match kind {
        Kind::Text => UiMessageChunk::TextStart { id },
        Kind::Reasoning => UiMessageChunk::ReasoningStart { id },
    }
}

fn more(id: String, kind: Kind, delta: String) -> UiMessageChunk {
    match kind {
        Kind::Text => UiMessageChunk::TextDelta { id, delta },
        Kind::Reasoning => UiMessageChunk::ReasoningDelta { id, delta },
    }
}

fn closed(id: String, kind: Kind) -> UiMessageChunk {
    match kind {
        Kind::Text => UiMessageChunk::TextEnd { id },
        Kind::Reasoning => UiMessageChunk::ReasoningEnd { id },
    }
}
