//! The tools that a model may call, by name.

use std::{collections::HashMap, sync::OnceLock};

use serde_json::Value;
use toolwright_core::{ToolDefinition, ToolDefinitions, tool::Effects};

/// Prefixes that some models write before every name.
const NAMESPACES: [&str; 2] = ["functions.", "default_api."];

/// The tools that a model may call.
#[derive(Debug)]
pub(crate) struct Declared(HashMap<String, Tool>);

/// One of them.
#[derive(Debug)]
pub(crate) struct Tool {
    definition: ToolDefinition,
    schema: OnceLock<Value>,
}

impl Declared {
    pub(crate) fn new(tools: &ToolDefinitions) -> Self {
        let tool = |definition: &ToolDefinition| Tool {
            definition: definition.clone(),
            schema: OnceLock::new(),
        };
        let tools = tools.iter();
        Self(tools.map(|one| (one.name.to_string(), tool(one))).collect())
    }

    /// Finds the tool that a written name stands for. A name in another spelling is another name; space around it
    /// and the namespace of a prompt do not count.
    pub(crate) fn find(&self, written: &str) -> Option<&Tool> {
        let name = written.trim();
        self.0.get(name).or_else(|| self.0.get(bare(name)))
    }

    /// Returns true if the name of a tool may begin so, with or without a namespace.
    pub(crate) fn has_beginning(&self, text: &str) -> bool {
        let begins = |text: &str| self.0.keys().any(|name| name.starts_with(text));
        begins(text)
            || NAMESPACES.iter().any(|prefix| {
                prefix.starts_with(text) || text.strip_prefix(prefix).is_some_and(begins)
            })
    }

    /// Returns true if the name of a tool stands in a text, in quotes.
    pub(crate) fn is_quoted_in(&self, text: &str) -> bool {
        text.split(['"', '\'', '\u{201c}', '\u{201d}'])
            .any(|part| self.0.contains_key(part))
    }
}

/// A written name without the namespace of a prompt.
pub(crate) fn bare(written: &str) -> &str {
    let name = written.trim();
    let mut all = NAMESPACES.iter();
    all.find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name)
}

impl Tool {
    pub(crate) fn name(&self) -> &str {
        &self.definition.name
    }

    /// The changes that a call of it may make.
    pub(crate) fn effects(&self) -> Effects {
        self.definition.hints.effects()
    }

    /// The schema of the arguments.
    pub(crate) fn schema(&self) -> &Value {
        self.schema
            .get_or_init(|| self.definition.input_schema.to_value())
    }

    /// The name of its parameter, if there is one alone, which takes any string.
    pub(crate) fn single_string(&self) -> Option<&str> {
        let mut parameters = self.schema().get("properties")?.as_object()?.iter();
        let (name, schema) = parameters.next()?;
        let is_string = schema.get("type")? == "string" && schema.get("enum").is_none();
        (is_string && parameters.next().is_none()).then_some(name)
    }

    /// The schema of a parameter.
    pub(crate) fn parameter(&self, name: &str) -> Option<&Value> {
        self.schema().get("properties")?.get(name)
    }
}
