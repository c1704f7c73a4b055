//! The usage of a response that is reported again and again.

use serde_json::Value;
use toolwright_json::bounded::parse_bounded;

/// The latest report, as text: many servers count the tokens so far in every event, and only the last count is
/// read.
#[derive(Debug, Default)]
pub(crate) struct LatestReport(String);

impl LatestReport {
    /// Keeps a report instead of the one before.
    pub(crate) fn keep(&mut self, report: &str) {
        self.0.clear();
        self.0.push_str(report);
    }

    /// Reads the last report; `None` if there was none.
    pub(crate) fn value(&self) -> Option<Value> {
        parse_bounded(&self.0)
    }
}
