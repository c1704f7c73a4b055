//! A tool that a provider has run itself.

use serde_json::Value;

/// Something that a provider has run itself, or the outcome of it: a view of an opaque part of a response.
///
/// The part itself stays as it came, and goes back to the provider.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ProviderToolUse<'a> {
    /// The kind of tool: `web_search`, `code_execution`, `file_search`, `tool_search`, `shell`, `mcp` for a call of an MCP
    /// server, `mcp_list_tools`, `x_search`, or else the provider's own word.
    pub kind: &'a str,
    /// The name of the tool, if its kind has several: that of a tool of an MCP server, or that of the server whose tools
    /// are listed; else empty.
    pub name: &'a str,
    /// The provider's id, which a use and its outcome share where they are two parts; empty if there is none.
    pub id: &'a str,
    /// The input of the tool, such as a query or code, in the provider's form; `None` of an outcome.
    pub input: Option<&'a Value>,
    /// The result, in the provider's form; `None` if it is another part, or is not sent.
    pub output: Option<&'a Value>,
    /// True if the provider says that it failed.
    pub failed: bool,
}

impl<'a> ProviderToolUse<'a> {
    /// Returns the text that a search looks for, or the first of several.
    pub fn query(&self) -> Option<&'a str> {
        let input = self.input?;
        let lists = [&input["queries"][0], &input[0]];
        let all = [&input["query"]].into_iter().chain(lists);
        all.into_iter().find_map(Value::as_str)
    }

    /// Returns the code that is run.
    pub fn code(&self) -> Option<&'a str> {
        let input = self.input?;
        let fields = ["code", "command"].into_iter().map(|name| &input[name]);
        let mut all = fields.chain([input]).filter_map(Value::as_str);
        (self.kind == "code_execution")
            .then(|| all.next())
            .flatten()
    }

    pub(crate) fn new(kind: &'a str, id: &'a Value) -> Self {
        Self {
            kind,
            name: "",
            id: id.as_str().unwrap_or_default(),
            input: None,
            output: None,
            failed: false,
        }
    }
}

/// A value that says something.
pub(crate) fn given(value: &Value) -> Option<&Value> {
    Some(value).filter(|value| !value.is_null())
}
