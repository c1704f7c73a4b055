//! The outcome of a call.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toolwright_json::char_boundary;

use super::{
    ArgumentChange, ChangeKind, IntoToolOutput, OutputPart, ToolOutput,
    output::stored::StoredOutput,
};
use crate::{ErrorCategory, ToolError, image::Image};

/// The outcome of a call. Elsewhere called `tool_result`, `functionResponse` or
/// `function_call_output`.
///
/// It serialises as `{"call_id", "type": "success", "output"}` or
/// `{"call_id", "type": "error", "error"}`, with `"changes"` where there are any.
#[doc(alias("tool_result", "function_call_output"))]
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult {
    /// The provider's id of the call this answers. Results stand in the order of the calls, so that
    /// an empty or repeated id is answered too.
    pub call_id: String,
    /// The output of the tool, or the error.
    pub outcome: Result<ToolOutput, Box<ToolError>>,
    /// The changes that [`Leniency`](crate::Leniency), or the approver of the call, made in the arguments
    /// before the tool read them; mostly none. The end of the outcome tells the model about arguments that
    /// were [edited](crate::ChangeKind::Edited).
    pub changes: Vec<ArgumentChange>,
}

impl ToolResult {
    /// The result of a call, from its outcome.
    pub fn new(call_id: impl Into<String>, outcome: Result<ToolOutput, ToolError>) -> Self {
        Self::of(call_id, outcome.map_err(Box::new))
    }

    /// The result of a call, from an outcome whose error is in its box already.
    #[doc(hidden)]
    pub fn of(call_id: impl Into<String>, outcome: Result<ToolOutput, Box<ToolError>>) -> Self {
        Self {
            call_id: call_id.into(),
            outcome,
            changes: Vec::new(),
        }
    }

    /// The result of a call that succeeded, from anything a tool may return. A value that does not
    /// serialise gives an error result.
    pub fn success(call_id: impl Into<String>, value: impl IntoToolOutput) -> Self {
        Self::new(call_id, value.into_tool_output())
    }

    /// The result of a call that failed.
    pub fn error(call_id: impl Into<String>, error: impl Into<ToolError>) -> Self {
        Self::new(call_id, Err(error.into()))
    }

    /// The result of a call that failed for a reason that is only a text for the model.
    pub fn error_message(call_id: impl Into<String>, message: impl Into<String>) -> Self {
        Self::error(call_id, ToolError::new(ErrorCategory::Unknown, message))
    }

    /// Sets the changes that were made in the arguments.
    pub fn with_changes(mut self, changes: Vec<ArgumentChange>) -> Self {
        self.changes = changes;
        self
    }

    /// Records that the approver of the call replaced the model's arguments with these: in the changes
    /// for programs, and in the outcome for the model.
    #[doc(hidden)]
    pub fn with_edited(mut self, arguments: &str) -> Self {
        let shown = &arguments[..char_boundary::floor(arguments, EDITED_BYTES)];
        let cut = if shown.len() < arguments.len() {
            "…"
        } else {
            ""
        };
        let note = format!("{EDITED_NOTE} {shown}{cut}");
        self.outcome = match self.outcome {
            Ok(output) => Ok(output.with_text(note)),
            Err(mut error) => {
                error.message = format!("{}\n{note}", error.message);
                Err(error)
            }
        };
        self.changes = vec![ArgumentChange::edited()];
        self
    }

    /// The text of the output, as the model reads it, without the note for the model about edited arguments; `None` for a
    /// call that failed.
    pub(crate) fn to_answer(&self) -> Option<Cow<'_, str>> {
        let output = self.outcome.as_ref().ok()?;
        match output.parts.as_slice() {
            [own @ .., OutputPart::Text(note)]
                if self.is_edited() && note.starts_with(EDITED_NOTE) =>
            {
                let parts = own.to_vec();
                let own = Self::of("", Ok(ToolOutput { parts }));
                Some(Cow::Owned(own.to_model_text().into_owned()))
            }
            _ => Some(self.to_model_text()),
        }
    }

    /// The result as it was before [`with_edited`](Self::with_edited).
    #[doc(hidden)]
    pub fn without_edited_note(mut self) -> Self {
        if !self.is_edited() {
            return self;
        }
        match &mut self.outcome {
            Ok(output) => {
                let is_note = |part: &mut OutputPart| matches!(part, OutputPart::Text(note) if note.starts_with(EDITED_NOTE));
                output.parts.pop_if(is_note);
            }
            Err(error) => {
                if let Some(own) = error.message.rfind(&format!("\n{EDITED_NOTE}")) {
                    error.message.truncate(own);
                }
            }
        }
        self.changes.clear();
        self
    }

    /// Returns true if the changes say that the arguments were edited.
    pub fn is_edited(&self) -> bool {
        is_edited(&self.changes)
    }

    /// Returns true if the call failed.
    pub fn is_error(&self) -> bool {
        self.outcome.is_err()
    }

    /// The images of the output, in order; none for a call that failed. They go where a provider
    /// takes images, since the [text](Self::to_model_text) only counts them.
    pub fn images(&self) -> impl Iterator<Item = &Image> {
        self.outcome.iter().flat_map(ToolOutput::images)
    }

    /// Returns the text that the model reads: the output's text, or the error's. An output without any
    /// text, or of white space alone, reads `(no output)`, since some providers refuse such a result.
    /// Images, documents and recordings are counted at the end: `(2 images)`.
    pub fn to_model_text(&self) -> Cow<'_, str> {
        match &self.outcome {
            Ok(output) => {
                let text = output.to_text();
                let is_empty = text.trim_ascii().is_empty();
                match (is_empty, media_note(output)) {
                    (true, None) => Cow::Borrowed("(no output)"),
                    (false, None) => text,
                    (true, Some(note)) => Cow::Owned(note),
                    (false, Some(note)) => Cow::Owned(format!("{text}\n{note}")),
                }
            }
            Err(error) => Cow::Owned(error.to_model_text()),
        }
    }

    /// Returns the text that a user reads: that of an error [for the user](ToolError::with_user_text), else the text for the
    /// model.
    pub fn to_user_text(&self) -> Cow<'_, str> {
        match &self.outcome {
            Ok(_) => self.to_model_text(),
            Err(error) => Cow::Owned(error.to_user_text()),
        }
    }
}

/// The beginning of the note for the model about edited arguments.
const EDITED_NOTE: &str =
    "Note from the application: the approver of this call changed its arguments. It ran with";

/// The limit, in bytes, of the edited arguments that the model is shown.
const EDITED_BYTES: usize = 1024;

/// Returns true if the changes say that the arguments were edited.
pub(crate) fn is_edited(changes: &[ArgumentChange]) -> bool {
    changes
        .iter()
        .any(|change| change.kind == ChangeKind::Edited)
}

/// Images, documents and sound are no text; the text says that they are there.
fn media_note(output: &ToolOutput) -> Option<String> {
    let count =
        |is_kind: fn(&OutputPart) -> bool| output.parts.iter().filter(|part| is_kind(part)).count();
    let counts = [
        (
            count(|part| matches!(part, OutputPart::Image(_))),
            "image",
            "images",
        ),
        (
            count(|part| matches!(part, OutputPart::Document(_))),
            "document",
            "documents",
        ),
        (
            count(|part| matches!(part, OutputPart::Audio(_))),
            "recording",
            "recordings",
        ),
    ];
    let said = counts.into_iter().filter(|(count, ..)| *count > 0);
    let said: Vec<_> = said
        .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
        .collect();
    (!said.is_empty()).then(|| format!("({})", said.join(", ")))
}

/// The stored form: tagged, so that it reads the same in every language.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Stored<'a> {
    Success {
        call_id: Cow<'a, str>,
        output: StoredOutput<'a>,
        #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
        changes: Cow<'a, [ArgumentChange]>,
    },
    Error {
        call_id: Cow<'a, str>,
        error: Cow<'a, ToolError>,
        #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
        changes: Cow<'a, [ArgumentChange]>,
    },
}

impl Serialize for ToolResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let call_id = Cow::Borrowed(self.call_id.as_str());
        let changes = Cow::Borrowed(self.changes.as_slice());
        match &self.outcome {
            Ok(output) => Stored::Success {
                call_id,
                output: output.into(),
                changes,
            },
            Err(error) => Stored::Error {
                call_id,
                error: Cow::Borrowed(error),
                changes,
            },
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ToolResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (call_id, outcome, changes) = match Stored::deserialize(deserializer)? {
            Stored::Success {
                call_id,
                output,
                changes,
            } => (call_id, Ok(output.into()), changes),
            Stored::Error {
                call_id,
                error,
                changes,
            } => (call_id, Err(error.into_owned()), changes),
        };
        Ok(Self::new(call_id, outcome).with_changes(changes.into_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn success_and_error_are_tagged() {
        let success = ToolResult::success("a", "sunny");
        assert_eq!(
            serde_json::to_value(&success).expect("serialises"),
            serde_json::json!({"call_id": "a", "type": "success",
                "output": [{"type": "text", "content": "sunny"}]})
        );
        let error = ToolResult::error_message("b", "no");
        assert_eq!(
            serde_json::to_value(&error).expect("serialises"),
            serde_json::json!({"call_id": "b", "type": "error",
                "error": {"category": "unknown", "message": "no"}})
        );
        assert!(error.is_error() && !success.is_error());
    }

    #[test]
    fn changes_are_stored_where_there_are_any() {
        let change = ArgumentChange::new(ChangeKind::ToNumber, "arguments.n".into());
        let result = ToolResult::success("a", "sunny").with_changes(vec![change]);
        let json = serde_json::to_value(&result).expect("serialises");
        assert_eq!(
            json["changes"],
            serde_json::json!([{"kind": "to_number", "path": "arguments.n"}])
        );
        let read: ToolResult = serde_json::from_value(json).expect("is one");
        assert_eq!(read, result);
    }

    #[test]
    fn an_empty_result_is_said_to_be_empty() {
        assert_eq!(ToolResult::success("a", ()).to_model_text(), "(no output)");
        let (empty, blank) = (String::new(), " \n\t");
        let parts = ToolOutput::text("").with_text("");
        for result in [
            ToolResult::success("a", empty),
            ToolResult::success("a", blank),
            ToolResult::success("a", ToolOutput::default()),
            ToolResult::success("a", parts),
        ] {
            assert_eq!(result.to_model_text(), "(no output)");
        }
        let none = ToolResult::success("a", None::<u8>);
        assert_eq!(
            none.to_model_text(),
            "null",
            "it is a value, and not nothing"
        );
    }

    #[test]
    fn an_answer_is_what_the_tool_said() {
        let edited = |value: &str| ToolResult::success("a", value).with_edited("{}");
        assert_eq!(
            edited("sunny").to_answer().as_deref(),
            Some("sunny"),
            "the note is for the model"
        );
        assert!(edited("sunny").to_model_text().ends_with(" {}"));
        assert_eq!(edited("").to_answer().as_deref(), Some("(no output)"));
        // What the tool says itself stays.
        let note = format!("{EDITED_NOTE} {{}}");
        let own = ToolResult::success("a", note.as_str());
        assert_eq!(own.to_answer().as_deref(), Some(note.as_str()));
        let failed = ToolResult::error_message("a", "no").with_edited("{}");
        assert_eq!(failed.to_answer(), None);
    }

    #[test]
    fn another_client_reads_a_result_by_its_parts() {
        let image = || Image::from_url("https://example.com/a.png");
        let output = ToolOutput::json(&[1, 2]).expect("serialises");
        let result = ToolResult::success("a", output.with_image(image()));
        assert_eq!(result.to_model_text(), "[1,2]\n(1 image)");
        assert!(result.images().eq([&image()]));
        let output = result.outcome.expect("it is one");
        assert_eq!(output.decode::<Vec<u8>>().expect("fits"), [1, 2]);
        let failed = ToolResult::error_message("a", "no");
        assert_eq!(failed.images().count(), 0);
    }
}
