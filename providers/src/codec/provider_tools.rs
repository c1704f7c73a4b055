//! The tools of a request that the provider runs itself.

use std::fmt::Display;

use serde_json::{Map, Value};
use toolwright_core::model::{ModelRequest, ProviderTool, Warning};
use toolwright_json::JsonText;

/// A tool that the provider runs, in its form, and what that form cannot say.
pub(crate) struct SentProviderTool {
    /// The entry of the list.
    pub(crate) entry: Value,
    /// The bounds that were set and that the provider does not know.
    pub(crate) left_out: Vec<&'static str>,
}

impl SentProviderTool {
    /// A tool whose fields are all sent.
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
    let entries: Vec<_> = entries(request, form)
        .map(|entry| entry.to_string())
        .collect();
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

/// The tools that the provider runs, in its form.
pub(crate) fn entries(request: &ModelRequest, form: Form) -> impl Iterator<Item = Value> {
    judged(request, form).filter_map(|(_, sent)| Some(sent.ok()?.entry))
}

/// Returns true if the provider runs a tool of the request.
pub(crate) fn has_any(request: &ModelRequest, form: Form) -> bool {
    judged(request, form).any(|(_, sent)| sent.is_ok())
}

/// The reason why a tool is not sent.
enum Unsent {
    /// The provider has no such tool.
    Unknown,
    /// There is one of its kind before it.
    Second,
    /// A tool of the program has the name that the provider gives it.
    Named(String),
}

/// Each tool in the form of the provider, or the reason why it is not sent. A provider refuses a list with a name twice.
fn judged(
    request: &ModelRequest,
    form: Form,
) -> impl Iterator<Item = (&ProviderTool, Result<SentProviderTool, Unsent>)> {
    let all = &request.settings.provider_tools;
    all.iter().enumerate().map(move |(place, tool)| {
        let Some(sent) = form(tool) else {
            return (tool, Err(Unsent::Unknown));
        };
        if all[..place]
            .iter()
            .any(|before| before.kind() == tool.kind())
        {
            return (tool, Err(Unsent::Second));
        }
        let name = sent.entry["name"].as_str();
        let named = name.filter(|name| request.tools.iter().any(|tool| tool.name == *name));
        let named = named.map(str::to_owned);
        (
            tool,
            named.map_or(Ok(sent), |name| Err(Unsent::Named(name))),
        )
    })
}

/// Returns warnings about what of these tools is not sent. `server` is the name in the warnings.
pub(crate) fn warnings(request: &ModelRequest, server: impl Display, form: Form) -> Vec<Warning> {
    let warning = |(tool, sent): (&ProviderTool, Result<SentProviderTool, Unsent>)| {
        let kind = tool.kind();
        let (code, message) = match sent {
            Ok(sent) if sent.left_out.is_empty() => return None,
            Ok(sent) => {
                let fields = sent.left_out.join("` and `");
                let message = format!(
                    "{server} does not accept `{fields}` of `{kind}`; the tool is sent without"
                );
                ("provider_tool_changed", message)
            }
            Err(Unsent::Unknown) => {
                let message = format!("{server} has no tool `{kind}`; it is not sent");
                ("provider_tool_ignored", message)
            }
            Err(Unsent::Second) => {
                let message = format!("`{kind}` is set more than once; only the first is sent");
                ("provider_tool_ignored", message)
            }
            Err(Unsent::Named(name)) => {
                let message = format!(
                    "a tool of the program has the name of the tool `{name}` of {server}, which is not sent"
                );
                ("provider_tool_ignored", message)
            }
        };
        Some(Warning::new(code, message))
    };
    judged(request, form).filter_map(warning).collect()
}

/// Adds a list to an entry, if there is anything in it.
pub(crate) fn put_list(entry: &mut Map<String, Value>, name: &str, list: &[String]) {
    if !list.is_empty() {
        entry.insert(name.to_owned(), list.into());
    }
}
