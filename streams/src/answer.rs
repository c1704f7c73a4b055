//! The answer of a run that is asked for one of a schema, as JSON.

use std::cell::RefCell;

use toolwright_core::{
    ToolError,
    driver::check_answer,
    run::{Finish, Run, RunOutcome},
};
use toolwright_json::JsonText;

/// The answer, in one line; `None` if the run is asked for text, or has no answer.
pub(super) fn of(run: &Run, outcome: &RunOutcome) -> Option<JsonText> {
    run.config().answer.as_ref()?;
    let is_answered = matches!(
        outcome.finish,
        Finish::Answered
            | Finish::Limit {
                summarized: true,
                ..
            }
    );
    if !is_answered {
        return None;
    }
    // As the runner reads it: without what a model writes around it.
    let found = RefCell::new(None);
    let read = |text: &str| {
        let json = JsonText::new(text).and_then(|json| JsonText::new(json.to_compact()));
        let json = json.map_err(|error| ToolError::invalid_arguments(error.to_string()))?;
        found.replace(Some(json));
        Ok(())
    };
    check_answer(&outcome.text, read).ok()?;
    found.into_inner()
}
