//! Tools that are known only at run time: a definition and a closure.
//!
//! [`DynamicTool::builder`] makes one of parts, under the limits of declared tools.
//! [`DynamicTool::foreign`] takes a definition from elsewhere, such as an MCP server's.

mod argument_path;
mod builder;
mod finding;
mod foreign;
pub(crate) mod form_check;
mod handler;
mod name;
pub(crate) mod output_check;
mod parameter;
mod validate;
mod violation;

use std::{borrow::Cow, fmt, future::Future, sync::Arc};

pub use builder::DynamicToolBuilder;
pub use finding::Finding;
pub use foreign::{MAX_SCHEMA_BYTES, MAX_SCHEMA_NESTING, MAX_SCHEMA_PARTS};
pub use parameter::Parameter;
pub use violation::{DefinitionError, Violation};

use crate::{
    ToolError,
    arguments::object_text,
    dynamic::validate::SchemaCheck,
    tool::{Call, IntoToolOutput, Tool, ToolCall, ToolContext, ToolDefinition, ToolPolicy},
};
use handler::Handler;
use violation::Violations;

/// A tool that is known only at run time: a definition and a closure.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use toolwright::{ToolCall, ToolError, Toolset, dynamic::{DynamicTool, Parameter}, testing};
///
/// #[derive(serde::Deserialize)]
/// struct Roll {
///     sides: u32,
/// }
///
/// let roll = DynamicTool::builder("roll_die", "Roll a die and say what it shows.")
///     .required("sides", Parameter::integer().range(2..=100))
///     .build(async |call: ToolCall, _cx| {
///         let roll: Roll = call.decode()?;
///         Ok::<_, ToolError>(roll.sides / 2)
///     })?;
/// let tools = Toolset::new().with(roll)?;
/// let output = testing::call(&tools, "roll_die", serde_json::json!({"sides": 6})).await?;
/// assert_eq!(output.to_text(), "3");
/// # Ok(()) }
/// ```
///
/// With the feature `jsonschema` the arguments of a call are checked against the schema before the closure
/// runs, and the model gets an error with the path of each mistake. Without it, they are only known to be
/// a JSON object without duplicate keys.
///
/// Cheap to clone; clones share the closure.
#[derive(Clone)]
pub struct DynamicTool {
    definition: Arc<ToolDefinition>,
    original_name: Arc<str>,
    findings: Arc<[Finding]>,
    policy: ToolPolicy,
    check: Arc<SchemaCheck>,
    handler: Handler,
}

impl DynamicTool {
    /// Begins a tool of your own: its name and what it does.
    pub fn builder(
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
    ) -> DynamicToolBuilder {
        DynamicToolBuilder::new(name.into(), description.into())
    }

    /// A tool that was defined elsewhere, for example by an MCP server, and that a closure runs.
    ///
    /// The schema stays as it is, byte for byte. A name of 1 to 64 letters, digits, `_` and `-` that begins with a
    /// letter or `_` is kept. The model sees any other in another form ([`original_name`](Self::original_name) is the
    /// way back). Two different names never have the same form, unless they are too long and end in a hash, which can
    /// collide on purpose: a [`Toolset`](crate::Toolset) refuses the second. The closure gets the call under the
    /// original name; the fingerprint of the tool's [`definition`](Tool::definition) is that of the name that the model
    /// sees. What is unusual and no mistake is listed by [`findings`](Self::findings).
    ///
    /// What the definition says of the tool's kind decides nothing: it counts as one that writes,
    /// until [`with_policy`](Self::with_policy) says otherwise.
    ///
    /// References (`$ref`) are followed inside the document, by pointer, anchor and id, and nothing is
    /// ever fetched. All drafts from 4 on are read, and `nullable` of `OpenAPI`. What the arguments
    /// cannot reach is not looked at. The limits:
    ///
    /// | What | Limit |
    /// | --- | --- |
    /// | levels of the arguments, through `$ref` | 10, as for declared tools |
    /// | a schema that contains itself | refused: it has no depth |
    /// | text of the schema | [`MAX_SCHEMA_BYTES`] |
    /// | lists and objects of the text inside each other | [`MAX_SCHEMA_NESTING`] |
    /// | schemas, what `$ref` points at counted each time | [`MAX_SCHEMA_PARTS`] |
    /// | schemas that apply inside each other, `$ref` counted | 128 |
    /// | a compiled pattern | a mebibyte, and all of a schema eight, else a [`Finding::UncheckedPattern`] |
    /// | steps that the patterns of a schema take for one call | 16 million, else the call is refused |
    /// | schemas with `unevaluatedProperties` or `unevaluatedItems` and branches inside each other | 4, else a [`Finding::Unchecked`] |
    ///
    /// ```
    /// use toolwright::{
    ///     Tool, ToolCall, ToolDefinition, ToolError, dynamic::DynamicTool, schema::Schema,
    /// };
    ///
    /// let schema = Schema::from_text(r#"{"type": "object", "properties": {"city": {"type": "string"}}}"#)?;
    /// let definition = ToolDefinition::new("geo.find_city", "Finds a city by its name.", schema);
    /// let tool = DynamicTool::foreign(definition, async |call: ToolCall, _cx| {
    ///     assert_eq!(call.name, "geo.find_city");
    ///     Ok::<_, ToolError>("Oslo")
    /// })?;
    /// assert_eq!(tool.definition().name, "geo_find_city--d");
    /// assert_eq!(tool.original_name(), "geo.find_city");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the root is no object, a required name is described nowhere in an object that takes no other keys, a
    /// reference points at nothing or outside, or a limit is passed: one error that lists all of it. When the schema
    /// cannot be read, or has a duplicate key: an error of that alone.
    #[doc(alias = "mcp")]
    pub fn foreign<T, F>(
        definition: ToolDefinition,
        run: impl Fn(ToolCall, ToolContext) -> F + Send + Sync + 'static,
    ) -> Result<Self, DefinitionError>
    where
        T: IntoToolOutput,
        F: Future<Output = Result<T, ToolError>> + Send + 'static,
    {
        Self::from_foreign(definition, Handler::waiting(run))
    }

    /// As [`foreign`](Self::foreign), with a closure that blocks its thread.
    ///
    /// # Errors
    ///
    /// As [`foreign`](Self::foreign).
    pub fn foreign_blocking<T: IntoToolOutput>(
        definition: ToolDefinition,
        run: impl Fn(&ToolCall, &ToolContext) -> Result<T, ToolError> + Send + Sync + 'static,
    ) -> Result<Self, DefinitionError> {
        Self::from_foreign(definition, Handler::blocking(run))
    }

    /// A tool that was defined elsewhere and whose calls the application answers: a browser, a person, another service.
    /// A run waits for the answer: see [`ToolPolicy::external`](crate::ToolPolicy::external).
    ///
    /// # Errors
    ///
    /// As [`foreign`](Self::foreign).
    pub fn external(definition: ToolDefinition) -> Result<Self, DefinitionError> {
        let tool = Self::from_foreign(definition, Handler::external())?;
        Ok(tool.with_policy(ToolPolicy::default().with_external()))
    }

    fn from_foreign(
        mut definition: ToolDefinition,
        handler: Handler,
    ) -> Result<Self, DefinitionError> {
        let mut violations = Violations::of(&definition.name);
        let mut in_schema = Vec::new();
        let checked = foreign::read(&definition.input_schema, &mut violations, &mut in_schema);
        violations.into_result()?;
        let original_name = Arc::from(definition.name.as_ref());
        let shown = name::shown(&definition.name).into_owned();
        let mut findings = finding::of_texts(&definition, &shown);
        findings.extend(in_schema);
        definition.name = Cow::Owned(shown);
        let check = checked.unwrap_or_else(|reason| {
            // Without a validator nothing is checked so, and nothing is found.
            if cfg!(feature = "jsonschema") {
                findings.push(Finding::Unchecked { reason });
            }
            SchemaCheck::object_only()
        });
        Ok(Self {
            definition: Arc::new(definition),
            original_name,
            findings: findings.into(),
            policy: ToolPolicy::default(),
            check: Arc::new(check),
            handler,
        })
    }

    /// Sets what the program that runs the tool must know of it.
    pub fn with_policy(mut self, policy: ToolPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// The name that the definition had, before it was written so that every provider takes it.
    pub fn original_name(&self) -> &str {
        &self.original_name
    }

    /// Returns the unusual properties of a foreign definition, which are no errors. There are none for a tool from
    /// the builder.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

impl Tool for DynamicTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(&'a self, call: &'a ToolCall, cx: &'a ToolContext) -> Call<'a> {
        if let Err(error) = self.check.check(call) {
            return Call::ready(Err(error));
        }
        let original = ToolCall {
            id: call.id.clone(),
            name: self.original_name.as_ref().to_owned(),
            arguments: object_text(&call.arguments).to_owned(),
        };
        if original.name == call.name {
            return self.handler.start(original, cx);
        }
        self.handler.start_renamed(original, cx, call.name.clone())
    }

    fn policy(&self) -> ToolPolicy {
        self.policy
    }

    fn check(&self, call: &ToolCall) -> Result<(), ToolError> {
        self.check.check(call)
    }
}

impl fmt::Debug for DynamicTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynamicTool")
            .field("definition", &self.definition)
            .field("original_name", &self.original_name)
            .field("findings", &self.findings)
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}
