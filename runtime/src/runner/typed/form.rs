//! The form of an answer, by its type and by what the model takes.

use serde::{Serialize, de::DeserializeOwned};

use super::check::read_answer;
use crate::{
    ToolError, ToolInput, ToolOutput, Toolset,
    model::{AnswerSchema, ChatModel, ModelRequest, ToolChoice},
    panics::guarded,
    run::{AnswerForm, AnswerMeans},
    runner::Inner,
    schema::{AnswerRoot, Describe, Link, Node, Start, const_check::strict::Rules},
};

/// A type that the answer of a run is to be a value of.
#[derive(Clone, Copy)]
pub(in crate::runner) struct AnswerType {
    /// The node of the type itself.
    node: Link,
    /// The node of what the model writes.
    input: Link,
    check: fn(&str) -> Result<(), ToolError>,
}

/// Reads the text of an answer as what a tool returns.
#[derive(Clone, Copy)]
pub(in crate::runner) struct AnswerOutput(fn(&str) -> Result<ToolOutput, ToolError>);

impl AnswerOutput {
    pub(in crate::runner) fn of<T: ToolInput + DeserializeOwned + Serialize>() -> Self {
        Self(|text| ToolOutput::json(&read_answer::<T>(text)?))
    }

    pub(in crate::runner) fn read(self, text: &str) -> Result<ToolOutput, ToolError> {
        (self.0)(text)
    }
}

impl AnswerType {
    pub(in crate::runner) fn of<T: ToolInput + DeserializeOwned>() -> Self {
        const {
            Rules::NONE.check_arguments(
                <T::Body<Start> as Describe>::FACTS,
                <T::Body<Start> as Describe>::PATHS,
            );
        }
        Self {
            node: <T::Body<Start> as Describe>::node,
            input: AnswerRoot::of::<T>().link(),
            check: |text| read_answer::<T>(text).map(drop),
        }
    }

    /// Checks the arguments of the tool that takes the answer.
    pub(super) fn check(self, text: &str) -> Result<(), ToolError> {
        (self.check)(text)
    }

    /// The schema with the tree that it was made from, by which calls are checked.
    pub(super) fn schema(self) -> AnswerSchema {
        let node = (self.node)();
        let schema = (self.input)().to_schema().with_tree(self.input);
        let schema = AnswerSchema::new(name_of(node), schema);
        match node.description {
            "" => schema,
            description => schema.with_description(description),
        }
    }
}

/// The name of a type as providers take it.
fn name_of(node: &Node) -> String {
    let name = node.named.map_or("", |named| named.short);
    let is_taken = |char: &char| char.is_ascii_alphanumeric() || *char == '_';
    let name: String = name.chars().filter(is_taken).take(64).collect();
    if name.is_empty() {
        "answer".to_owned()
    } else {
        name
    }
}

impl Inner {
    /// The form of an answer of this type: what the model takes decides how it is asked for.
    pub(in crate::runner) fn answer_form(&self, answer: AnswerType) -> AnswerForm {
        let (schema, tools) = (answer.schema(), self.tools.snapshot());
        let mut request = ModelRequest::new([]).with_answer_schema(schema.clone());
        request.tools = tools.shared_definitions().clone();
        request.tool_choice = self.config.tool_choice.at(0);
        request.settings.clone_from(&self.settings);
        let model = &**self.model;
        // A model that panics here does so in its first request as well, where a run fails by it.
        let takes_schema = || guarded(|| model.takes_answer_schema(&request)).unwrap_or(false);
        let means = if let Some(means) = &self.answer_means {
            means.clone()
        } else if takes_schema() {
            AnswerMeans::Schema
        } else if request.tool_choice != ToolChoice::None && takes_tools(model) {
            AnswerMeans::Tool(free_name(&tools))
        } else {
            AnswerMeans::Text
        };
        AnswerForm::new(schema, means).with_corrections(self.answer_corrections)
    }
}

fn takes_tools(model: &dyn ChatModel) -> bool {
    guarded(|| model.capabilities()).is_none_or(|capabilities| capabilities.tools)
}

/// A name for the tool that takes the answer, which no other tool has.
fn free_name(tools: &Toolset) -> String {
    let names = (1_u32..).map(|number| match number {
        1 => FINAL_ANSWER.to_owned(),
        _ => format!("{FINAL_ANSWER}_{number}"),
    });
    let mut free = names.filter(|name| tools.find(name).is_none());
    free.next()
        .expect("a set has fewer tools than there are numbers")
}

const FINAL_ANSWER: &str = "final_answer";
