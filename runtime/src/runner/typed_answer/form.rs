//! The form of an answer, by its type and by what the model takes.

use std::{any::Any, collections::BTreeMap, sync::Arc};

use serde::Serialize;

use super::{TypedAnswer, check::read_answer};
use crate::runner::Inner;
use toolwright_core::__private::check_answer;
use toolwright_core::{
    ToolError, ToolOutput, Toolset,
    driver::{AnswerRoot, Mutex, caught},
    model::{AnswerSchema, ChatModel, ModelRequest, ToolChoice},
    run::{AnswerForm, AnswerMeans},
    schema::{Describe, Link, Node, Start},
};

/// A type that the answer of a run is to be a value of. Clones are for the same run.
#[derive(Clone)]
pub(in crate::runner) struct AnswerType {
    /// The node of the type itself.
    node: Link,
    /// The node of what the model writes.
    input: Link,
    read: fn(&str) -> Result<Value, ToolError>,
    /// The value that was read last.
    last: Arc<LastRead>,
}

/// A value of the type.
type Value = Box<dyn Any + Send>;

/// The value that was read last, with its text: it is not read again for the answer.
#[derive(Default)]
struct LastRead(Mutex<Option<(String, Value)>>);

impl LastRead {
    /// Takes the value of this text, if it was the last one.
    fn take(&self, text: &str) -> Option<Value> {
        let (of, value) = self.0.lock().take()?;
        (of == text).then_some(value)
    }

    fn keep(&self, text: &str, value: Value) {
        let before = self.0.lock().replace((text.to_owned(), value));
        // It is dropped when the lock is free.
        drop(before);
    }
}

/// Reads the text of an answer as what a tool returns.
#[derive(Clone, Copy)]
pub(in crate::runner) struct AnswerOutput(fn(&str) -> Result<ToolOutput, ToolError>);

impl AnswerOutput {
    pub(in crate::runner) fn of<T: TypedAnswer + Serialize>() -> Self {
        Self(|text| ToolOutput::json(&read_answer::<T>(text)?))
    }

    pub(in crate::runner) fn read(self, text: &str) -> Result<ToolOutput, ToolError> {
        (self.0)(text)
    }
}

impl AnswerType {
    pub(in crate::runner) fn of<T: TypedAnswer>() -> Self {
        const { check_answer::<T>() }
        Self {
            node: <T::Body<Start> as Describe>::node,
            input: AnswerRoot::of::<T>().link(),
            read: |text| read_answer::<T>(text).map(|value| Box::new(value) as _),
            last: Arc::default(),
        }
    }

    /// The same type, for another run.
    pub(in crate::runner) fn for_run(&self) -> Self {
        Self {
            last: Arc::default(),
            ..*self
        }
    }

    /// Checks the arguments of the tool that takes the answer.
    pub(super) fn check(&self, text: &str) -> Result<(), ToolError> {
        self.last.keep(text, (self.read)(text)?);
        Ok(())
    }

    /// Reads the text of an answer as a value of the type, which is `T`.
    pub(in crate::runner) fn value<T: 'static>(&self, text: &str) -> Result<T, ToolError> {
        let value = match self.last.take(text) {
            Some(value) => value,
            None => (self.read)(text)?,
        };
        let value = value.downcast();
        Ok(*value.expect("an answer is read as the type that was asked for"))
    }

    /// The schema with the tree that it was made from, by which calls are checked. It is written once for each type, of
    /// which a program has as many as it declares.
    pub(in crate::runner) fn schema(&self) -> AnswerSchema {
        static WRITTEN: Mutex<BTreeMap<(usize, usize), AnswerSchema>> = Mutex::new(BTreeMap::new());
        let written = || WRITTEN.lock();
        let of = (self.node as usize, self.input as usize);
        let known = written().get(&of).cloned();
        known.unwrap_or_else(|| {
            let schema = self.write_schema();
            written().insert(of, schema.clone());
            schema
        })
    }

    fn write_schema(&self) -> AnswerSchema {
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
    pub(in crate::runner) fn answer_form(&self, answer: &AnswerType) -> AnswerForm {
        let schema = answer.schema();
        let names = self.config.tools.as_deref();
        // Whichever agent answers, it is asked for in one way.
        let means = if let Some(means) = &self.answer_means {
            means.clone()
        } else if self
            .of_agents()
            .all(|agent| agent.takes_answer_schema(&schema, names))
        {
            AnswerMeans::Schema
        } else if self.of_agents().all(Self::may_call_tools) {
            let sets = self.of_agents().map(|agent| agent.tools.allowed(names));
            AnswerMeans::Tool(free_name(&sets.collect::<Vec<_>>()))
        } else {
            AnswerMeans::Text
        };
        AnswerForm::new(schema, means).with_corrections(self.answer_corrections)
    }
}

impl Inner {
    fn takes_answer_schema(&self, schema: &AnswerSchema, names: Option<&[String]>) -> bool {
        let mut request = ModelRequest::new([]).with_answer_schema(schema.clone());
        let tools = self.tools.allowed(names);
        request.tools = tools.shared_definitions().clone();
        request.tool_choice = self.config.tool_choice.at(0);
        request.settings.clone_from(&self.settings);
        let model = &*self.model;
        // A model that panics here does so in its first request as well, where a run fails by it.
        caught(|| model.takes_answer_schema(&request)).unwrap_or(false)
    }

    fn may_call_tools(&self) -> bool {
        self.config.tool_choice.at(0) != ToolChoice::None && takes_tools(&*self.model)
    }
}

fn takes_tools(model: &dyn ChatModel) -> bool {
    caught(|| model.capabilities()).map_or(true, |capabilities| capabilities.tools)
}

/// A name for the tool that takes the answer, which no other tool of any agent has.
fn free_name(agents: &[Toolset]) -> String {
    let names = (1_u32..).map(|number| match number {
        1 => FINAL_ANSWER.to_owned(),
        _ => format!("{FINAL_ANSWER}_{number}"),
    });
    let mut free = names.filter(|name| agents.iter().all(|tools| tools.find(name).is_none()));
    free.next()
        .expect("a set has fewer tools than there are numbers")
}

const FINAL_ANSWER: &str = "final_answer";
