//! Tools whose input is one text.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ToolDefinition;

/// The input of a tool that is one text, such as code or a query: a provider that can do so lets the model write the text
/// itself, and not JSON with the text in it. Elsewhere called a custom tool, or free-form function calling.
///
/// The tool has one argument, which is a string. It stays what it is: the arguments of a call are an object with that
/// string, and a provider without such tools is sent a function with the schema of the tool, and no grammar.
///
/// ```
/// use toolwright::{tool::{Grammar, TextInput}, tool, toolset};
///
/// /// Add and subtract whole numbers: `1 + 2 - 3`.
/// #[tool(read_only)]
/// fn calculate(term: String) -> i64 {
///     term.replace('-', "+-").split('+').filter_map(|n| n.replace(' ', "").parse::<i64>().ok()).sum()
/// }
///
/// let grammar = Grammar::Regex(r"\d+( [+-] \d+)*".to_owned());
/// let tools = toolset![calculate].with_text_input("calculate", TextInput::of(grammar))?;
/// let calculate = tools.definitions().next().expect("there is one");
/// assert_eq!(calculate.text_parameter().as_deref(), Some("term"));
/// # Ok::<(), toolwright::toolset::ToolsetError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TextInput {
    /// The grammar that the provider has the text follow; `None` for any text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grammar: Option<Grammar>,
}

/// A grammar of a text, in a language that the provider reads. It is not checked here.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "syntax", content = "definition", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Grammar {
    /// A grammar of Lark, a library of Python.
    Lark(String),
    /// A regular expression, in the syntax of Rust.
    Regex(String),
}

impl TextInput {
    /// Any text.
    pub fn new() -> Self {
        Self::default()
    }

    /// A text that follows a grammar.
    pub fn of(grammar: Grammar) -> Self {
        Self {
            grammar: Some(grammar),
        }
    }
}

impl ToolDefinition {
    /// Returns the name of the argument, if there is just one and it is a string.
    pub fn text_parameter(&self) -> Option<String> {
        let schema: Value = serde_json::from_str(self.input_schema.as_str()).ok()?;
        let properties = schema["properties"].as_object()?;
        let (name, property) = properties.iter().next().filter(|_| properties.len() == 1)?;
        let is_needed = schema["required"] == Value::from(vec![name.as_str()]);
        let is_text = property["type"] == "string" && property.get("enum").is_none();
        (is_needed && is_text).then(|| name.clone())
    }
}
