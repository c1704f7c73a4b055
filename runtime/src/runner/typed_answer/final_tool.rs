//! The tool that takes the answer of a run.

use std::sync::Arc;

use super::AnswerCheck;
use toolwright_core::{
    Tool, ToolCall, ToolContext, ToolDefinition, ToolError, ToolOutput, ToolPolicy, Toolset,
    ToolsetError,
    driver::{Mutex, of_call},
    run::AnswerForm,
    tool::{Call, Effects},
};

/// The result of a call that is the answer. Its arguments are what was answered.
const TAKEN: &str = "The answer was taken.";

/// The tool that takes the answer of a run, and the sets of tools that it was added to.
pub(in crate::runner) struct FinalTool {
    tool: Arc<dyn Tool>,
    /// The set that it was added to last, without and with it: its definitions are rendered once.
    last: Mutex<Option<(Toolset, Toolset)>>,
}

struct TakesAnswer {
    definition: ToolDefinition,
    /// What the answer is checked by; `None` if there is nothing.
    answer: Option<AnswerCheck>,
}

impl FinalTool {
    /// The tool of a run whose answer is asked for by one.
    pub(in crate::runner) fn of(form: &AnswerForm, answer: Option<AnswerCheck>) -> Option<Self> {
        let mut definition = form.tool()?;
        if let Some(answer) = answer.as_ref().and_then(AnswerCheck::answer_type) {
            let schema = answer.schema().schema;
            // The schema that the model got stays as it was; answers are checked by its tree, if
            // that is known.
            if schema == definition.input_schema {
                definition.input_schema = schema;
            }
        }
        let tool = Arc::new(TakesAnswer { definition, answer });
        Some(Self {
            tool,
            last: Mutex::new(None),
        })
    }

    pub(in crate::runner) fn is_called(&self, name: &str) -> bool {
        self.tool.definition().name == name
    }

    /// The tools with this one among them.
    ///
    /// # Errors
    ///
    /// When it cannot be: one of them has its name, or its schema is none of a tool.
    pub(in crate::runner) fn among(&self, tools: Toolset) -> Result<Toolset, ToolsetError> {
        let mut last = self.last.lock();
        if let Some((seen, with)) = &*last
            && seen.is_same(&tools)
        {
            return Ok(with.clone());
        }
        let with = tools.clone().with_shared(Arc::clone(&self.tool))?;
        *last = Some((tools, with.clone()));
        Ok(with)
    }
}

impl Tool for TakesAnswer {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn policy(&self) -> ToolPolicy {
        ToolPolicy::default()
            .with_effects(Effects::ReadOnly)
            .with_ends_run()
    }

    fn check(&self, call: &ToolCall) -> Result<(), ToolError> {
        match &self.answer {
            Some(answer) => answer
                .check(&call.arguments)
                .map_err(|error| of_call(error, call)),
            None => Ok(()),
        }
    }

    fn call<'a>(&'a self, call: &'a ToolCall, _: &'a ToolContext) -> Call<'a> {
        Call::ready(self.check(call).map(|()| ToolOutput::text(TAKEN)))
    }
}
