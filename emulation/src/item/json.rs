//! Calls as JSON, in the shapes that models give them.

mod shape;

use std::{borrow::Cow, cell::Cell};

use toolwright_core::repair_json;
use toolwright_json::spans::{NodeId, Nodes, Parts};

use crate::{
    attempt::{Attempt, Reading, Refusal, arguments, call, object as object_text},
    declared::{Declared, Tool},
    text_calls::RefusalReason,
};
use shape::{ARGUMENTS, CLEAR_NAMES, DEFINED, DIRECT_ANSWERS, IDS, LISTS, NAMES, WRAPPERS};

pub(crate) use shape::is_like_a_call;

/// Reads one value. A marked one is a call, or was meant to be; another one may be an answer that is JSON.
pub(crate) fn read(text: &str, tools: &Declared, is_marked: bool) -> Reading {
    let text = text.trim();
    let repaired = match repair_json(text) {
        Ok(repaired) if !repaired.is_cut_off => repaired.text,
        _ if !is_marked && !is_like_a_call(text, tools) => return Reading::Text,
        Ok(_) => {
            return Reading::of(Err(Refusal::of(RefusalReason::CutOff)));
        }
        Err(fault) => return Reading::malformed(None, fault.to_string()),
    };
    let Some(nodes) = Nodes::read(&repaired) else {
        return Reading::malformed(None, "it is not JSON");
    };
    let reader = Reader {
        nodes: &nodes,
        tools,
        is_marked,
        is_loose: Cell::new(false),
    };
    reader.whole()
}

struct Reader<'r> {
    nodes: &'r Nodes<'r>,
    tools: &'r Declared,
    is_marked: bool,
    /// True if an object had more in it than calls, or the name of a tool as a key.
    is_loose: Cell<bool>,
}

/// What an object is.
enum Object {
    Attempts(Vec<Attempt>),
    NoTool,
    /// A name without arguments, of no tool.
    Nameless(Refusal),
    /// The definition of a tool.
    Definition,
    /// No call; for a marked value, the fault.
    Other(&'static str),
}

impl Reader<'_> {
    fn whole(&self) -> Reading {
        if let Some(items) = self.nodes.list(0) {
            return self.list(items);
        }
        let Some(object) = self.nodes.object(0) else {
            return self.other("the call is not an object");
        };
        match self.object(object) {
            Object::Attempts(attempts) => self.attempts(attempts),
            Object::NoTool if !self.is_marked && is_answer(object) => Reading::Text,
            Object::NoTool => Reading::NoTool,
            Object::Nameless(refusal) if self.is_marked => Reading::of(Err(refusal)),
            Object::Nameless(_) => Reading::Text,
            Object::Definition => self.other("it is a definition, not a call"),
            Object::Other(fault) => self.other(fault),
        }
    }

    fn attempts(&self, attempts: Vec<Attempt>) -> Reading {
        if self.is_loose.get() {
            Reading::Loose(attempts)
        } else {
            Reading::Attempts(attempts)
        }
    }

    /// Notes whether an object has other keys than these, and those that any call may have.
    fn note_others(&self, object: &Parts<'_>, known: &[&str]) {
        let is_known =
            |other: &&str| known.contains(other) || *other == "type" || IDS.contains(other);
        let mut keys = object.all.iter().map(|(key, _)| &**key);
        let is_loose = !keys.all(|key| is_known(&key));
        self.is_loose.set(self.is_loose.get() || is_loose);
    }

    fn other(&self, fault: &str) -> Reading {
        if self.is_marked {
            return Reading::malformed(None, fault);
        }
        Reading::Text
    }

    fn list(&self, items: &[NodeId]) -> Reading {
        let attempts = self.items(items, false);
        match attempts {
            _ if items.is_empty() && self.is_marked => Reading::NoTool,
            Some(attempts) if attempts.is_empty() => Reading::NoTool,
            Some(attempts) => self.attempts(attempts),
            None => Reading::Text,
        }
    }

    /// The calls of a list; `None` if a list that is not marked has none. What `is_listed` as a call and has arguments
    /// is meant to be one.
    fn items(&self, items: &[NodeId], is_listed: bool) -> Option<Vec<Attempt>> {
        let (mut all, mut others, mut has_call) = (Vec::new(), Vec::new(), false);
        for item in items {
            let object = self.nodes.object(*item);
            let has_arguments =
                |parts: &Parts<'_>| ARGUMENTS[..2].iter().any(|key| parts.get(key).is_some());
            match object.map(|object| self.object(object)) {
                Some(Object::Attempts(attempts)) => {
                    has_call = true;
                    all.extend(attempts);
                }
                Some(Object::NoTool) => has_call |= self.is_marked,
                Some(Object::Nameless(refusal)) => others.push(refusal),
                Some(Object::Definition) if !self.is_marked => {}
                Some(Object::Definition) => {
                    others.push(Refusal::malformed(None, "it is a definition, not a call"));
                }
                Some(Object::Other(fault)) => {
                    has_call |= is_listed && object.is_some_and(has_arguments);
                    others.push(Refusal::malformed(None, fault));
                }
                None => others.push(Refusal::malformed(None, "a call is not an object")),
            }
            if self.is_marked || has_call && is_listed {
                all.extend(others.drain(..).map(Err));
            }
        }
        (self.is_marked || has_call).then_some(all)
    }

    fn object(&self, object: &Parts<'_>) -> Object {
        if object.all.is_empty() || self.string(object, "type").as_deref() == Some("text") {
            return Object::NoTool;
        }
        if object.repeats {
            return Object::Other("a key is given twice");
        }
        let name_key = NAMES.into_iter().find(|key| object.get(key).is_some());
        if name_key.is_none()
            && let Some((key, list)) = LISTS.iter().find_map(|key| Some((key, object.get(key)?)))
        {
            self.note_others(object, &[key]);
            return self.listed(list);
        }
        let mut inner = WRAPPERS.iter().chain(["function", "tool", "action"].iter());
        let inner = inner.find_map(|key| Some((key, self.nodes.object(object.get(key)?)?)));
        if let Some((key, inner)) =
            inner.filter(|(_, inner)| NAMES.iter().any(|key| inner.get(key).is_some()))
        {
            // A name that is an object is none, in a decision.
            if object.get("arguments").is_some() {
                return Object::Other("the name of a tool is not a string");
            }
            self.note_others(object, &[key]);
            return self.object(inner);
        }
        match name_key {
            Some(key) => match self.string(object, key) {
                Some(name) => self.named(object, key, &name),
                None => Object::Other("the name of a tool is not a string"),
            },
            None => self.by_key(object),
        }
    }

    /// The value of `tools` and its like.
    fn listed(&self, list: NodeId) -> Object {
        if self.nodes.get(list).text == "null" {
            return Object::NoTool;
        }
        match self.nodes.list(list) {
            Some([]) => Object::NoTool,
            Some(items) => match self.items(items, true) {
                Some(attempts) if attempts.is_empty() => Object::NoTool,
                Some(attempts) => Object::Attempts(attempts),
                None => Object::Other("a call is not an object"),
            },
            None => Object::Other("the calls are not an array"),
        }
    }

    fn named(&self, object: &Parts<'_>, key: &str, name: &str) -> Object {
        let written = ARGUMENTS
            .into_iter()
            .find_map(|key| Some((key, object.get(key)?)));
        if DIRECT_ANSWERS.contains(&name.trim()) && self.tools.find(name).is_none() {
            return Object::NoTool;
        }
        let tool = self.tools.find(name);
        let is_described = object.get("description").is_some();
        if written.is_some_and(|(_, node)| self.is_schema(node, tool))
            || is_described && written.is_none_or(|(key, _)| key == DEFINED && !self.is_marked)
        {
            return Object::Definition;
        }
        if tool.is_none() {
            let is_placeholder = name.contains(['<', '{', '$', ' ']) || name.is_empty();
            let is_clear = |(key, node)| {
                let is_object = || match self.nodes.string(node) {
                    Some(text) => text.trim_start().starts_with('{'),
                    None => self.nodes.object(node).is_some(),
                };
                ARGUMENTS[..2].contains(&key) && is_object() && !is_placeholder
            };
            return match written {
                Some(written) if self.is_marked || is_clear(written) => {
                    let arguments = |_: Option<&Tool>| self.arguments(Some(written.1));
                    Object::Attempts(vec![call(self.tools, name, "", arguments)])
                }
                Some(_) => Object::Other("no tool has this name"),
                None => {
                    let arguments = |_: Option<&Tool>| Ok("{}".to_owned());
                    match call(self.tools, name, "", arguments) {
                        Err(refusal) => Object::Nameless(refusal),
                        Ok(_) => unreachable!("no tool has this name"),
                    }
                }
            };
        }
        // A name alone may be about anything.
        if written.is_none() && !CLEAR_NAMES.contains(&key) && !self.is_marked {
            return Object::Other("the arguments are missing");
        }
        let is_known = |other: &str| other == key || other == "type" || IDS.contains(&other);
        if written.is_none() && !object.all.iter().all(|(other, _)| is_known(other)) {
            if self.is_marked {
                let fault = "the arguments have to be an object of their own";
                return Object::Attempts(vec![Err(Refusal::malformed(Some(name), fault))]);
            }
            return Object::Other("it has other keys");
        }
        let id = IDS
            .iter()
            .find_map(|key| self.string(object, key))
            .unwrap_or_default();
        let node = written.map(|(_, node)| node);
        let arguments_key = written.map_or(key, |(key, _)| key);
        self.note_others(object, &[key, arguments_key]);
        Object::Attempts(vec![call(self.tools, name, &id, |_| self.arguments(node))])
    }

    fn arguments(&self, node: Option<NodeId>) -> Result<String, String> {
        let Some(node) = node else {
            return Ok("{}".to_owned());
        };
        match self.nodes.string(node) {
            Some(text) => arguments(&text),
            // It has been repaired with the whole.
            None => object_text(self.nodes.get(node).text),
        }
    }

    /// `{"get_weather": {"city": "Oslo"}}`
    fn by_key(&self, object: &Parts<'_>) -> Object {
        let call_of = |(name, node): &(Cow<'_, str>, NodeId)| {
            let tool = self.tools.find(name)?;
            let arguments = self.nodes.object(*node)?;
            let is_like = self.is_marked || has_parameters(tool, arguments);
            is_like.then(|| call(self.tools, name, "", |_| self.arguments(Some(*node))))
        };
        let calls: Option<Vec<_>> = object.all.iter().map(call_of).collect();
        match calls {
            Some(calls) if self.is_marked || calls.len() == 1 => {
                self.is_loose.set(true);
                Object::Attempts(calls)
            }
            _ => Object::Other("the name of a tool is missing"),
        }
    }

    fn string(&self, object: &Parts<'_>, key: &str) -> Option<Cow<'_, str>> {
        self.nodes.string(object.get(key)?)
    }

    /// Returns true for the schema of a tool's parameters, where arguments would be.
    fn is_schema(&self, node: NodeId, tool: Option<&Tool>) -> bool {
        let Some(object) = self.nodes.object(node) else {
            return false;
        };
        let is_declared = tool.is_some_and(|tool| tool.parameter("type").is_some());
        let has_type = self.string(object, "type").as_deref() == Some("object");
        has_type && !is_declared && (object.get("properties").is_some() || object.all.len() == 1)
    }
}

/// Returns true for an object without calls that may be an answer: it does not say that there are none.
fn is_answer(object: &Parts<'_>) -> bool {
    let mut keys = LISTS.iter().chain(&NAMES);
    object.all.len() != 1 || !keys.any(|key| object.get(key).is_some())
}

/// Returns true if there are arguments, and a tool declares all of them.
fn has_parameters(tool: &Tool, arguments: &Parts<'_>) -> bool {
    let mut names = arguments.all.iter();
    !arguments.all.is_empty() && names.all(|(name, _)| tool.parameter(name).is_some())
}
