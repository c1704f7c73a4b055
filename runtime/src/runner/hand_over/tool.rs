//! The tool that hands a conversation over.

use std::{ops::RangeInclusive, sync::Arc};

use serde::Deserialize;

use toolwright_core::{
    Schema, ToolCall, ToolContext, ToolDefinition, ToolError, ToolOutput, ToolPolicy,
    run::AgentConfig,
    tool::{Call, Effects, Tool},
};

/// The most characters of a name, so that a tool may have it after `transfer_to_`.
pub(super) const NAME: usize = 52;

/// The characters that a description may have.
pub(super) const DESCRIPTION: RangeInclusive<usize> = 10..=500;

const SCHEMA: &str = r#"{"type":"object","properties":{"reason":{"type":"string","description":"Why, in a few words: the agent that goes on reads it."}},"additionalProperties":false}"#;

/// The tool that hands a conversation over to an agent. That a call of it succeeds is what the run goes by.
struct Transfer {
    definition: ToolDefinition,
    agent: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[serde(default)]
    #[expect(dead_code, reason = "the model that goes on reads it in the call")]
    reason: Option<String>,
}

/// The tool that hands over to the agent of a name, with this description.
pub(super) fn transfer(agent: &AgentConfig, description: &str) -> Arc<dyn Tool> {
    let schema = Schema::from_text(SCHEMA).unwrap_or_else(|_| unreachable!("it is JSON"));
    let agent_name = &agent.name;
    let description = format!(
        "Hand the conversation over to the agent `{agent_name}`, which sees all of it and answers from then on. {}",
        description.trim()
    );
    Arc::new(Transfer {
        definition: ToolDefinition::new(agent.transfer_tool(), description, schema),
        agent: agent_name.clone(),
    })
}

impl Tool for Transfer {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn policy(&self) -> ToolPolicy {
        ToolPolicy::default().with_effects(Effects::ReadOnly)
    }

    fn check(&self, call: &ToolCall) -> Result<(), ToolError> {
        call.decode::<Arguments>().map(|_| ())
    }

    fn call<'a>(&'a self, call: &'a ToolCall, _: &'a ToolContext) -> Call<'a> {
        let output =
            || ToolOutput::text(format!("`{}` goes on with the conversation.", self.agent));
        Call::ready(self.check(call).map(|()| output()))
    }
}
