//! What an event of a run means for a reader.

use toolwright_json::JsonText;

use crate::{question::QuestionData, transfer::TransferData};
use toolwright_core::{
    UserMessage,
    message::ProviderActivity,
    model::{Usage, Warning},
    run::{CallId, Finish, PendingCall, UserFailure},
    tool::{CallUpdate, Decision, ToolResult},
};

/// What an event of a run means for a reader.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Change {
    /// A response begins. The calls of the one before are part of its step.
    StepStarted(u32),
    /// The response, with its calls, is over.
    StepEnded(u32),
    /// A text begins.
    Opened(PlaceInRun, Kind),
    /// More of a text.
    Delta(PlaceInRun, Kind, String),
    /// A text is whole.
    Closed(PlaceInRun, Kind),
    /// The model made an image, a document or sound: its address, and its media type if it is known.
    File {
        url: String,
        media_type: Option<String>,
    },
    /// The arguments of a call begin, in the response of this step.
    CallOpened {
        step: u32,
        call: CallId,
        name: String,
    },
    /// More of the arguments.
    CallDelta { call: CallId, text: String },
    /// The arguments are whole, or will be others than those before.
    CallKnown {
        call: CallId,
        name: String,
        arguments: JsonText,
    },
    /// The arguments are no JSON and cannot be repaired.
    CallUnreadable {
        call: CallId,
        name: String,
        arguments: String,
        error: String,
    },
    /// What the step has shown is void. These calls were opened in it. The same step continues.
    Void {
        step: u32,
        calls: Vec<(CallId, String)>,
    },
    /// The response stays as it was shown.
    Kept(u32),
    /// Another user message came.
    Said { number: u32, message: UserMessage },
    /// A call waits for an approval, or for the answer to its question. The number of earlier requests about the call.
    ApprovalAsked {
        call: CallId,
        asked: u32,
        question: Option<QuestionData>,
    },
    /// The provider has done something itself.
    Activity {
        place: PlaceInRun,
        activity: Box<ProviderActivity>,
    },
    /// Somebody decided.
    Decided {
        call: CallId,
        asked: u32,
        decision: Decision,
    },
    /// A call of a run below waits for an approval, or for the application.
    BelowAsked(Box<PendingCall>),
    /// Such a call waits no longer. What became of it is in the log of its run.
    BelowOver(Box<PendingCall>),
    /// A running call sends an update.
    Update { call: CallId, update: CallUpdate },
    /// A call has its result.
    CallFinished {
        call: CallId,
        result: ToolResult,
        is_denied: bool,
    },
    /// The conversation was handed over to another agent, by a call.
    Transferred { call: CallId, data: TransferData },
    /// The request of this step is sent again after an error.
    Retried(u32),
    /// The run is over.
    Finished(Box<End>),
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct End {
    pub(crate) finish: Finish,
    /// What the user may read, if there is no whole answer.
    pub(crate) failure: Option<UserFailure>,
    /// The answer, of a run that is asked for one of a schema.
    pub(crate) answer: Option<JsonText>,
    pub(crate) usage: Usage,
    pub(crate) warnings: Vec<Warning>,
}

/// The place of a text in a run: the response, and the part of it, both from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlaceInRun {
    pub(crate) step: u32,
    pub(crate) part: usize,
}

/// The kind of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Reasoning,
}
