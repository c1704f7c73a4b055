//! What a provider has run itself, as an application shows it.

use serde_json::Value;
use toolwright_runtime::message::{Opaque, Part};

use super::{anthropic, gemini, openai_responses};

/// Something that a provider has run itself, or the outcome of it: a view of an opaque part of a response.
///
/// The part itself stays as it came, and goes back to the provider.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ProviderToolUse<'a> {
    /// The kind of tool: `web_search`, `code_execution`, `file_search`, `tool_search`, or else the provider's own word.
    pub kind: &'a str,
    /// The provider's id, which a use and its outcome share where they are two parts; empty if there is none.
    pub id: &'a str,
    /// What the tool was asked for, such as a query or code, in the provider's form; `None` of an outcome.
    pub input: Option<&'a Value>,
    /// What came of it, in the provider's form; `None` if that is another part, or is not told.
    pub output: Option<&'a Value>,
    /// True if the provider says that it failed.
    pub failed: bool,
}

impl<'a> ProviderToolUse<'a> {
    /// Reads an opaque part; `None` for one that is something else.
    ///
    /// ```
    /// use serde_json::json;
    /// use toolwright::{message::Opaque, provider::ProviderToolUse};
    ///
    /// let part = Opaque {
    ///     provider: "openai_responses".to_owned(),
    ///     data: json!({"type": "web_search_call", "id": "ws_1", "status": "completed",
    ///         "action": {"type": "search", "query": "Rust 1.95"}}),
    /// };
    /// let search = ProviderToolUse::of(&part).unwrap();
    /// assert_eq!((search.kind, search.query()), ("web_search", Some("Rust 1.95")));
    /// ```
    pub fn of(part: &'a Opaque) -> Option<Self> {
        // Behind the name of the codec stands the host.
        match part.provider.split(':').next()? {
            anthropic::PROVIDER => of_anthropic(&part.data),
            openai_responses::PROVIDER => of_responses(&part.data),
            gemini::PROVIDER => of_gemini(&part.data),
            _ => None,
        }
    }

    /// All of a response, or of a message, in order.
    pub fn all(parts: &'a [Part]) -> impl Iterator<Item = Self> {
        parts.iter().filter_map(|part| match part {
            Part::Opaque(part) => Self::of(part),
            _ => None,
        })
    }

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

    fn new(kind: &'a str, id: &'a Value) -> Self {
        Self {
            kind,
            id: id.as_str().unwrap_or_default(),
            input: None,
            output: None,
            failed: false,
        }
    }
}

fn given(value: &Value) -> Option<&Value> {
    Some(value).filter(|value| !value.is_null())
}

/// The kind of a tool that has several names.
fn kind_of(name: &str) -> &str {
    match name {
        name if name.ends_with("code_execution") => "code_execution",
        name if name.starts_with("tool_search_tool") => "tool_search",
        name => name,
    }
}

fn of_anthropic(block: &Value) -> Option<ProviderToolUse<'_>> {
    let kind = block["type"].as_str()?;
    if kind == "server_tool_use" {
        let name = kind_of(block["name"].as_str().unwrap_or_default());
        return Some(ProviderToolUse {
            input: given(&block["input"]),
            ..ProviderToolUse::new(name, &block["id"])
        });
    }
    let name = kind.strip_suffix("_tool_result")?;
    let name = if name == "tool_search" {
        name
    } else {
        kind_of(name)
    };
    let content = &block["content"];
    let failed = content["type"]
        .as_str()
        .is_some_and(|kind| kind.ends_with("_error"));
    Some(ProviderToolUse {
        output: given(content),
        failed,
        ..ProviderToolUse::new(name, &block["tool_use_id"])
    })
}

fn of_responses(item: &Value) -> Option<ProviderToolUse<'_>> {
    let (kind, input, output) = match item["type"].as_str()? {
        "web_search_call" => ("web_search", &item["action"], &item["action"]["sources"]),
        "code_interpreter_call" => ("code_execution", &item["code"], &item["outputs"]),
        "file_search_call" => ("file_search", &item["queries"], &item["results"]),
        "image_generation_call" => ("image_generation", &Value::Null, &item["result"]),
        "tool_search_call" => ("tool_search", &item["arguments"], &Value::Null),
        "tool_search_output" => ("tool_search", &Value::Null, &item["tools"]),
        _ => return None,
    };
    Some(ProviderToolUse {
        input: given(input),
        output: given(output),
        failed: matches!(item["status"].as_str(), Some("failed" | "incomplete")),
        ..ProviderToolUse::new(kind, &item["id"])
    })
}

fn of_gemini(part: &Value) -> Option<ProviderToolUse<'_>> {
    if let Some(code) = given(&part["executableCode"]) {
        return Some(ProviderToolUse {
            input: Some(code),
            ..ProviderToolUse::new("code_execution", &code["id"])
        });
    }
    let result = given(&part["codeExecutionResult"])?;
    Some(ProviderToolUse {
        output: Some(result),
        failed: result["outcome"]
            .as_str()
            .is_some_and(|outcome| outcome != "OUTCOME_OK"),
        ..ProviderToolUse::new("code_execution", &result["id"])
    })
}
