//! The tools of a request that the provider runs itself.

use std::fmt::Display;

use serde_json::{Map, Value};
use toolwright_json::JsonText;
use toolwright_runtime::model::{ModelRequest, ProviderTool, Warning};

/// A tool that the provider runs, in its form, and what that form cannot say.
pub(crate) struct SentProviderTool {
    /// The entry of the list.
    pub(crate) entry: Value,
    /// The bounds that were set and that the provider does not know.
    pub(crate) left_out: Vec<&'static str>,
}

impl SentProviderTool {
    /// A tool of which all is said.
    pub(crate) fn whole(entry: Value) -> Self {
        let left_out = Vec::new();
        Self { entry, left_out }
    }

    /// Notes a bound that is left out, if it was set.
    pub(crate) fn without(mut self, name: &'static str, is_set: bool) -> Self {
        self.left_out.extend(is_set.then_some(name));
        self
    }
}

/// The form in which a provider is sent a tool that it runs; `None` for one that it has not.
pub(crate) type Form = fn(&ProviderTool) -> Option<SentProviderTool>;

/// A provider that runs no tools.
pub(crate) fn none(_: &ProviderTool) -> Option<SentProviderTool> {
    None
}

/// The list of tools with those that the provider runs at its end; `None` if there are no tools at all.
pub(crate) fn list(request: &ModelRequest, own: &JsonText, form: Form) -> Option<JsonText> {
    let sent = request.settings.provider_tools.iter().filter_map(form);
    let entries: Vec<_> = sent.map(|sent| sent.entry.to_string()).collect();
    let has_own = !request.tools.is_empty();
    if entries.is_empty() {
        return has_own.then(|| own.clone());
    }
    let entries = entries.join(",");
    let text = match own.as_str().strip_suffix(']').filter(|_| has_own) {
        Some(before) => format!("{before},{entries}]"),
        None => format!("[{entries}]"),
    };
    // The list of a set is an array that is not empty.
    JsonText::new(text).ok()
}

/// Returns true if the provider runs a tool of the request.
pub(crate) fn has_any(request: &ModelRequest, form: Form) -> bool {
    let mut tools = request.settings.provider_tools.iter();
    tools.any(|tool| form(tool).is_some())
}

/// Returns warnings about what of these tools is not sent. `server` is the name in the warnings.
pub(crate) fn warnings(request: &ModelRequest, server: impl Display, form: Form) -> Vec<Warning> {
    let warning = |tool: &ProviderTool| {
        let kind = tool.kind();
        match form(tool) {
            None => {
                let message = format!("{server} has no tool `{kind}`; it is not sent");
                Some(Warning::new("provider_tool_ignored", message))
            }
            Some(sent) if !sent.left_out.is_empty() => {
                let fields = sent.left_out.join("` and `");
                let message =
                    format!("{server} does not know `{fields}` of `{kind}`; it is sent without");
                Some(Warning::new("provider_tool_changed", message))
            }
            Some(_) => None,
        }
    };
    let tools = request.settings.provider_tools.iter();
    tools.filter_map(warning).collect()
}

/// Adds a list to an entry, if there is anything in it.
pub(crate) fn put_list(entry: &mut Map<String, Value>, name: &str, list: &[String]) {
    if !list.is_empty() {
        entry.insert(name.to_owned(), list.into());
    }
}
