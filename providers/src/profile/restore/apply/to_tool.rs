//! From the form of the provider to that of the tool.

use std::borrow::Cow;

use serde_json::value::RawValue;
use toolwright_json::spans::{NodeId, Nodes};

use super::{FormId, How, Walk, Writer};
use crate::profile::restore::{Members, Step, StepId, WRAPPER};

impl Walk<'_> {
    /// Writes a value of the provider in the form of the tool. Returns `None` if it has another form than the
    /// step expects.
    pub(super) fn back(
        &mut self,
        step: &Step,
        node: NodeId,
        out: &mut String,
        depth: usize,
    ) -> Option<()> {
        let nodes = self.nodes;
        match step {
            Step::Object(members) => self.object_back(members, node, out, depth),
            Step::Pairs(of_values) => {
                let pairs = keys_and_values(nodes, node)?;
                // A key that is there twice is for decoding to refuse.
                let mut object = Writer::open(out, '{');
                for (key, value) in pairs {
                    object.key(&key);
                    self.write(*of_values, value, object.out, depth);
                }
                object.close('}');
                Some(())
            }
            Step::Tuple(places) => {
                let members = nodes.object(node)?;
                let mut list = Writer::open(out, '[');
                for (index, step) in places.iter().enumerate() {
                    let item = members.get(&index.to_string())?;
                    list.separate();
                    self.write(*step, item, list.out, depth);
                }
                list.close(']');
                Some(())
            }
            Step::Text => {
                let text = nodes.string(node)?;
                // A text that holds no JSON is meant as itself.
                let json: &RawValue = serde_json::from_str(&text).ok()?;
                out.push_str(json.get());
                Some(())
            }
            Step::Texts(texts) => {
                let text = nodes.string(node)?;
                let (_, json) = texts.iter().find(|(sent, _)| *sent == text)?;
                out.push_str(json);
                Some(())
            }
            Step::Wrapped(key, inner) => {
                let value = only_member(nodes, node, key)?;
                self.write(*inner, value, out, depth);
                Some(())
            }
            Step::Root { inner, sent } => self.root_back(*inner, *sent, node, out, depth),
            Step::Keep | Step::Same(_) | Step::List(..) | Step::Union(_) => None,
        }
    }

    /// Arguments may have a member of that name themselves, and come without the wrapper.
    fn root_back(
        &mut self,
        inner: StepId,
        sent: Option<FormId>,
        node: NodeId,
        out: &mut String,
        depth: usize,
    ) -> Option<()> {
        let value = only_member(self.nodes, node, WRAPPER)?;
        let is_sent = match sent {
            Some(form) => self.sent.check(form, value, How::Open),
            None => self.own.check(self.root, value, How::Open),
        };
        if !is_sent && self.own.check(self.root, node, How::Open) {
            return None;
        }
        let start = out.len();
        self.write(inner, value, out, depth);
        // Arguments are an object, whatever came.
        out[start..].starts_with('{').then_some(())
    }

    fn object_back(
        &mut self,
        object: &Members,
        node: NodeId,
        out: &mut String,
        depth: usize,
    ) -> Option<()> {
        let members = self.nodes.object(node)?;
        let mut written = Writer::open(out, '{');
        for (key, value) in &members.all {
            if let Some((name, of_rest)) = &object.rest
                && name == key
                && let Some(pairs) = keys_and_values(self.nodes, *value)
            {
                // What is declared and left out has its own member. A key that is there twice is for
                // decoding to refuse.
                let is_elsewhere = |(other, _): &(Cow<'_, str>, NodeId)| {
                    let own = members.get(other).filter(|_| other != name);
                    let is_there = own.is_some_and(|own| self.nodes.get(own).text != "null");
                    object.declared.contains_key(&**other) && !is_there
                };
                if !members.repeats && !pairs.iter().any(is_elsewhere) {
                    for (key, value) in pairs {
                        written.key(&key);
                        self.write(*of_rest, value, written.out, depth);
                    }
                    continue;
                }
            }
            let (step, is_null_when_absent) = match object.declared.get(&**key) {
                Some(member) => (member.step, member.is_null_when_absent),
                None => (object.others, false),
            };
            if is_null_when_absent && self.nodes.get(*value).text == "null" {
                continue;
            }
            written.key(key);
            self.write(step, *value, written.out, depth);
        }
        written.close('}');
        Some(())
    }
}

/// The value of the only member of an object, if it has this key.
fn only_member(nodes: &Nodes<'_>, node: NodeId, key: &str) -> Option<NodeId> {
    match nodes.object(node)?.all.as_slice() {
        [(name, value)] if name == key => Some(*value),
        _ => None,
    }
}

/// Reads the entries of an array of objects with `key` and `value`. Returns `None` for another value.
fn keys_and_values<'t>(nodes: &Nodes<'t>, node: NodeId) -> Option<Vec<(Cow<'t, str>, NodeId)>> {
    let pair = |&item: &NodeId| {
        let [(first, one), (second, other)] = nodes.object(item)?.all.as_slice() else {
            return None;
        };
        let (key, value) = match (&**first, &**second) {
            ("key", "value") => (*one, *other),
            ("value", "key") => (*other, *one),
            _ => return None,
        };
        Some((nodes.string(key)?, value))
    };
    nodes.list(node)?.iter().map(pair).collect()
}
