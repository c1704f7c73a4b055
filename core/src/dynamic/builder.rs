//! Puts a tool together from its parts.

use std::{borrow::Cow, future::Future, sync::Arc};

use super::{
    DefinitionError, DynamicTool, Parameter,
    handler::Handler,
    name,
    parameter::{self, Property},
    violation::Violations,
};
use crate::{
    Schema, ToolError,
    dynamic::validate::SchemaCheck,
    schema::{MAX_DESCRIPTION_CHARS, MIN_DESCRIPTION_CHARS},
    tool::{IntoToolOutput, ToolCall, ToolContext, ToolDefinition, ToolHints, ToolPolicy},
};

/// The parts of a [`DynamicTool`]. Nothing is checked before it is built, and then all of it.
#[derive(Debug)]
#[must_use = "a builder does nothing until `build`"]
pub struct DynamicToolBuilder {
    name: Cow<'static, str>,
    description: Cow<'static, str>,
    title: Option<Cow<'static, str>>,
    hints: ToolHints,
    policy: Option<ToolPolicy>,
    properties: Vec<Property>,
}

impl DynamicToolBuilder {
    pub(super) fn new(name: Cow<'static, str>, description: Cow<'static, str>) -> Self {
        Self {
            name,
            description,
            title: None,
            hints: ToolHints::NONE,
            policy: None,
            properties: Vec::new(),
        }
    }

    /// Sets a name for people.
    pub fn title(mut self, title: impl Into<Cow<'static, str>>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets what kind of tool it is; it says nothing of that by default. As for declared tools, what
    /// a call may change ([`ToolPolicy::effects`]) follows from it.
    pub fn hints(mut self, hints: ToolHints) -> Self {
        self.hints = hints;
        self
    }

    /// Sets what the program that runs the tool must know of it, instead of what follows from the
    /// hints.
    pub fn policy(mut self, policy: ToolPolicy) -> Self {
        self.policy = Some(policy);
        self
    }

    /// Adds a parameter that has to be there.
    pub fn required(self, name: impl Into<String>, parameter: Parameter) -> Self {
        self.with(name.into(), parameter, true)
    }

    /// Adds a parameter that may be left out or be `null`. With a default it may be left out and is
    /// never `null`.
    pub fn optional(self, name: impl Into<String>, parameter: Parameter) -> Self {
        self.with(name.into(), parameter, false)
    }

    fn with(mut self, name: String, parameter: Parameter, is_required: bool) -> Self {
        self.properties.push(Property {
            name,
            parameter,
            is_required,
        });
        self
    }

    /// Checks the parts and makes the tool, which a closure runs.
    ///
    /// [`ToolCall::decode`] gives the closure its arguments as a type. What the closure owns is
    /// cloned for each call: `move |call, cx| { let db = db.clone(); async move { … } }`.
    ///
    /// # Errors
    ///
    /// When a rule for declared tools is broken, or a parameter contradicts itself: one error that
    /// lists all of it. With the feature `jsonschema` a pattern is refused too that is not a valid
    /// regular expression, or has look-around or a reference to a group.
    pub fn build<T, F>(
        self,
        run: impl Fn(ToolCall, ToolContext) -> F + Send + Sync + 'static,
    ) -> Result<DynamicTool, DefinitionError>
    where
        T: IntoToolOutput,
        F: Future<Output = Result<T, ToolError>> + Send + 'static,
    {
        self.finish(Handler::waiting(run))
    }

    /// As [`build`](Self::build), with a closure that blocks its thread.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_blocking<T: IntoToolOutput>(
        self,
        run: impl Fn(&ToolCall, &ToolContext) -> Result<T, ToolError> + Send + Sync + 'static,
    ) -> Result<DynamicTool, DefinitionError> {
        self.finish(Handler::blocking(run))
    }

    /// Checks the parts and makes a tool whose calls the application answers: see
    /// [`ToolPolicy::external`](crate::ToolPolicy::external).
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_external(self) -> Result<DynamicTool, DefinitionError> {
        let tool = self.finish(Handler::external())?;
        let policy = tool.policy.with_external();
        Ok(tool.with_policy(policy))
    }

    fn finish(self, handler: Handler) -> Result<DynamicTool, DefinitionError> {
        let mut violations = Violations::of(&self.name);
        self.check_texts(&mut violations);
        parameter::check(&self.properties, &mut violations);
        let mut check = SchemaCheck::object_only();
        let schema = Schema::from_text(parameter::arguments(&self.properties))
            .expect("what is written there is JSON");
        if violations.is_empty() {
            // A default or an example may be deeper than JSON is read.
            let value = serde_json::from_str(schema.as_str()).map_err(|error| error.to_string());
            match value.and_then(SchemaCheck::new) {
                Ok(made) => check = made,
                Err(reason) => violations.add("arguments", reason),
            }
        }
        violations.into_result()?;
        let original_name = Arc::from(self.name.as_ref());
        let description = match self.description {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
        };
        let mut definition =
            ToolDefinition::new(self.name, description, schema).with_hints(self.hints);
        definition.title = self.title;
        let policy = self.policy.unwrap_or(ToolPolicy::of(self.hints));
        Ok(DynamicTool {
            definition: Arc::new(definition),
            original_name,
            findings: Arc::from([]),
            policy,
            check: Arc::new(check),
            handler,
        })
    }

    fn check_texts(&self, violations: &mut Violations) {
        if !is_snake_case(&self.name) {
            let message = format!(
                "a tool's name is in snake_case, of `a` to `z`, digits and `_`, starts with a letter \
                 and has 1 to {} characters: write one such as `get_weather`",
                name::MAX_CHARS
            );
            violations.add("name", message);
        }
        let chars = self.description.trim().chars().count();
        if !(MIN_DESCRIPTION_CHARS..=MAX_DESCRIPTION_CHARS).contains(&chars) {
            let message = format!(
                "the description has {chars} characters, {MIN_DESCRIPTION_CHARS} to \
                 {MAX_DESCRIPTION_CHARS} are needed: tell the model what the tool does and when to \
                 call it"
            );
            violations.add("description", message);
        }
        if self
            .title
            .as_ref()
            .is_some_and(|title| title.trim().is_empty())
        {
            let message = "the title is empty: write a name for people, or none";
            violations.add("title", message);
        }
        let only_reads = self.hints.read_only == Some(true);
        if only_reads && self.hints.destructive == Some(true) {
            let message = "a tool that only reads destroys nothing: remove one of the two hints";
            violations.add("hints", message);
        }
        if only_reads && self.hints.idempotent == Some(false) {
            let message = "a tool that only reads changes nothing, also the second time: remove one \
                           of the two hints";
            violations.add("hints", message);
        }
    }
}

fn is_snake_case(name: &str) -> bool {
    name.len() <= name::MAX_CHARS
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}
