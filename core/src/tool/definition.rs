//! The definition of a tool, as a model receives it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Effects, Strict, TextInput};
use crate::schema::Schema;

/// The definition of a tool, as a model receives it. Elsewhere called a function declaration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolDefinition {
    /// The name that the model calls.
    pub name: Cow<'static, str>,
    /// A description of what the tool does and when to call it.
    pub description: Cow<'static, str>,
    /// JSON Schema (2020-12) of the arguments object.
    pub input_schema: Schema,
    /// JSON Schema (2020-12) of what the tool returns, which is an object then; `None` if nothing is
    /// promised. It is not sent to models, but to other programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Schema>,
    /// A name for people; [`name`](Self::name) is for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Cow<'static, str>>,
    /// Hints about the behaviour of the tool.
    #[serde(default, skip_serializing_if = "ToolHints::is_empty")]
    pub hints: ToolHints,
    /// The rules by which providers are to enforce the schema; `None`, the default, if they are not to
    /// enforce it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strict: Option<Strict>,
    /// True if a model reads the definition only when it has looked for it, which keeps the requests of large sets
    /// short: see [`Toolset::deferred`](crate::Toolset::deferred).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deferred: bool,
    /// The form of the input where the model may write it as one text; `None`, the default, if it is JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_input: Option<TextInput>,
}

impl ToolDefinition {
    /// A definition from its parts, unchecked: declared tools are checked when they are compiled.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
        input_schema: Schema,
    ) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            input_schema,
            output_schema: None,
            title: None,
            hints: ToolHints::NONE,
            strict: None,
            deferred: false,
            text_input: None,
        }
    }

    /// Sets the schema of what the tool returns.
    pub fn with_output_schema(mut self, schema: Schema) -> Self {
        self.output_schema = Some(schema);
        self
    }

    /// Sets the name for people.
    pub fn with_title(mut self, title: impl Into<Cow<'static, str>>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets what kind of tool it is.
    pub fn with_hints(mut self, hints: ToolHints) -> Self {
        self.hints = hints;
        self
    }

    /// Has providers enforce the schema, by these rules.
    pub fn with_strict(mut self, strict: Strict) -> Self {
        self.strict = Some(strict);
        self
    }

    /// Lets the model write the input as one text, where the provider can do that.
    pub fn with_text_input(mut self, input: TextInput) -> Self {
        self.text_input = Some(input);
        self
    }

    /// Says whether a model reads the definition only when it has looked for it.
    pub fn with_deferred(mut self, deferred: bool) -> Self {
        self.deferred = deferred;
        self
    }

    /// Returns true if another definition says the same. The order of keys in a schema does not count: some stores sort
    /// them. Nor does it count when a model reads it.
    pub fn says_as(&self, other: &Self) -> bool {
        let input = is_alike(&self.input_schema, &other.input_schema);
        let output = match (&self.output_schema, &other.output_schema) {
            (Some(one), Some(other)) => is_alike(one, other),
            (one, other) => one == other,
        };
        let rest = Self {
            input_schema: other.input_schema.clone(),
            output_schema: other.output_schema.clone(),
            deferred: other.deferred,
            ..self.clone()
        };
        input && output && rest == *other
    }
}

fn is_alike(one: &Schema, other: &Schema) -> bool {
    one == other || one.value().is_some_and(|one| Some(one) == other.value())
}

/// Hints about the behaviour of a tool, with the meaning that the Model Context Protocol gives these words.
/// `None` says nothing, and then the worst has to be expected.
///
/// They describe. What a runner does follows from [`ToolPolicy`](super::ToolPolicy), so the hints of a
/// foreign tool decide nothing; a declared tool has both from one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolHints {
    /// True if the tool changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// True if the tool may delete or overwrite; false if it only adds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// True if a second call with the same arguments changes nothing more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    /// True if the tool reaches things outside, such as the web; false if it knows only its own data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_world: Option<bool>,
}

impl ToolHints {
    /// Says nothing.
    pub const NONE: Self = Self {
        read_only: None,
        destructive: None,
        idempotent: None,
        open_world: None,
    };

    /// Sets whether it changes nothing.
    pub const fn with_read_only(mut self, read_only: bool) -> Self {
        self.read_only = Some(read_only);
        self
    }

    /// Sets whether it may delete or overwrite.
    pub const fn with_destructive(mut self, destructive: bool) -> Self {
        self.destructive = Some(destructive);
        self
    }

    /// Sets whether a second call with the same arguments changes nothing more.
    pub const fn with_idempotent(mut self, idempotent: bool) -> Self {
        self.idempotent = Some(idempotent);
        self
    }

    /// Sets whether it reaches things outside.
    pub const fn with_open_world(mut self, open_world: bool) -> Self {
        self.open_world = Some(open_world);
        self
    }

    /// Returns the changes that a call may make, according to the hints of the tool itself.
    pub const fn effects(self) -> Effects {
        match (self.read_only, self.idempotent) {
            (Some(true), _) => Effects::ReadOnly,
            (_, Some(true)) => Effects::Idempotent,
            _ => Effects::Write,
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
    fn is_empty(&self) -> bool {
        *self == Self::NONE
    }
}
