//! A tool made of a definition and a closure, as a user would write it by hand.

use std::{future::Future, pin::Pin};

use toolwright::{
    Tool, ToolCall, ToolContext, ToolDefinition, ToolError, ToolOutput,
    schema::Schema,
    tool::{Call, ToolPolicy},
};

type Work = Pin<Box<dyn Future<Output = Result<ToolOutput, ToolError>> + Send>>;

pub(crate) struct Handwritten {
    definition: ToolDefinition,
    policy: ToolPolicy,
    work: Box<dyn Fn(ToolCall, ToolContext) -> Work + Send + Sync>,
}

impl Handwritten {
    pub(crate) fn new<F>(
        name: &'static str,
        work: impl Fn(ToolCall, ToolContext) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<ToolOutput, ToolError>> + Send + 'static,
    {
        let schema = Schema::from_text(r#"{"type":"object"}"#).expect("is JSON");
        Self {
            definition: ToolDefinition::new(name, "A tool for a test.", schema),
            policy: ToolPolicy::default(),
            work: Box::new(move |call, cx| Box::pin(work(call, cx))),
        }
    }

    pub(crate) fn with_schema(mut self, schema: Schema) -> Self {
        self.definition.input_schema = schema;
        self
    }

    pub(crate) fn with_policy(mut self, policy: ToolPolicy) -> Self {
        self.policy = policy;
        self
    }
}

impl Tool for Handwritten {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(&'a self, call: &'a ToolCall, cx: &'a ToolContext) -> Call<'a> {
        Call::Async((self.work)(call.clone(), cx.clone()))
    }

    fn policy(&self) -> ToolPolicy {
        self.policy
    }
}

/// Says its arguments again.
pub(crate) fn echo() -> Handwritten {
    Handwritten::new("echo", async |call, _| Ok(ToolOutput::text(call.arguments)))
}

/// Never comes back.
pub(crate) fn hang() -> Handwritten {
    Handwritten::new("hang", async |_, _| std::future::pending().await)
}

/// Fails in a way that the model may hear of.
pub(crate) fn fail() -> Handwritten {
    Handwritten::new("fail", async |_, _| {
        Err(ToolError::not_found("no such order"))
    })
}

/// Panics.
pub(crate) fn crash() -> Handwritten {
    Handwritten::new("crash", async |_, _| panic!("a secret is in this text"))
}
