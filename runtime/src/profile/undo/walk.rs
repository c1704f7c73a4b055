//! Arguments, step by step.

use std::collections::HashMap;

use serde_json::value::RawValue;

use super::{
    super::json::{Json, Pairs, quoted},
    KEEP, Member, Step, StepId, WRAPPER,
    fits::Fits,
};

/// How deep arguments are looked into: the limit of decoding.
const MAX_DEPTH: usize = 128;

/// How many steps are taken: some for each byte. Only a schema whose unions stand inside each other
/// with the same variants needs more, and then the rest of the text stays as it is.
const STEPS: usize = 10_000;
const STEPS_PER_BYTE: usize = 16;

pub(super) struct Walk<'p> {
    steps: &'p [Step],
    schema: &'p Json,
    left: usize,
}

impl<'p> Walk<'p> {
    pub(super) fn new(steps: &'p [Step], schema: &'p Json, bytes: usize) -> Self {
        Self {
            steps,
            schema,
            left: bytes.saturating_mul(STEPS_PER_BYTE).saturating_add(STEPS),
        }
    }

    /// Writes what a value becomes; as it is if it has another form than the step expects.
    pub(super) fn write(&mut self, step: StepId, text: &str, out: &mut String, depth: usize) {
        let start = out.len();
        if self.try_write(step, text, out, depth).is_none() {
            out.truncate(start);
            out.push_str(text);
        }
    }

    fn try_write(
        &mut self,
        step: StepId,
        text: &str,
        out: &mut String,
        depth: usize,
    ) -> Option<()> {
        let mut step = step;
        self.left = self.left.checked_sub(1)?;
        while let Step::Same(next) = self.steps[step] {
            self.left = self.left.checked_sub(1)?;
            step = next;
        }
        // Null has one form wherever it may stand.
        if step == KEEP || depth > MAX_DEPTH || text == "null" {
            out.push_str(text);
            return Some(());
        }
        let depth = depth + 1;
        let steps = self.steps;
        match &steps[step] {
            Step::Keep | Step::Same(_) => out.push_str(text),
            Step::Object {
                members,
                rest,
                others,
            } => self.object(members, rest.as_ref(), *others, text, out, depth)?,
            Step::Map(of_values) => {
                let mut object = Writer::open(out, '{');
                for (key, value) in pairs(text)? {
                    object.key(&key);
                    self.write(*of_values, value.get(), object.out, depth);
                }
                object.close('}');
            }
            Step::Pairs(of_values) => {
                let mut object = Writer::open(out, '{');
                for (key, value) in keys_and_values(text)? {
                    object.key(&key);
                    self.write(*of_values, &value, object.out, depth);
                }
                object.close('}');
            }
            Step::List(of_items) => {
                let mut list = Writer::open(out, '[');
                for item in items(text)? {
                    list.separate();
                    self.write(*of_items, item.get(), list.out, depth);
                }
                list.close(']');
            }
            Step::Places(places) => {
                let mut list = Writer::open(out, '[');
                for (index, item) in items(text)?.into_iter().enumerate() {
                    list.separate();
                    let step = places.get(index).copied().unwrap_or(KEEP);
                    self.write(step, item.get(), list.out, depth);
                }
                list.close(']');
            }
            Step::Tuple(places) => {
                let members = pairs(text)?;
                let mut list = Writer::open(out, '[');
                for (index, step) in places.iter().enumerate() {
                    let key = index.to_string();
                    let (_, item) = members.iter().find(|(name, _)| *name == key)?;
                    list.separate();
                    self.write(*step, item.get(), list.out, depth);
                }
                list.close(']');
            }
            Step::Text => {
                let text: String = serde_json::from_str(text).ok()?;
                // A text that holds no JSON is meant as itself.
                let json: &RawValue = serde_json::from_str(&text).ok()?;
                out.push_str(json.get());
            }
            Step::Texts(texts) => {
                let text: String = serde_json::from_str(text).ok()?;
                let (_, json) = texts.iter().find(|(sent, _)| *sent == text)?;
                out.push_str(json);
            }
            Step::Wrapped(inner) => {
                let members = pairs(text)?;
                let [(key, value)] = members.as_slice() else {
                    return None;
                };
                if key != WRAPPER {
                    return None;
                }
                self.write(*inner, value.get(), out, depth);
            }
            Step::Union(variants) => {
                let start = out.len();
                for (step, schema) in variants {
                    if self.try_write(*step, text, out, depth).is_some()
                        && Fits::new(self.schema, &mut self.left).check(schema, &out[start..])
                    {
                        return Some(());
                    }
                    out.truncate(start);
                }
                return None;
            }
        }
        Some(())
    }

    /// An object of known members.
    fn object(
        &mut self,
        members: &HashMap<String, Member>,
        rest: Option<&(String, StepId)>,
        others: StepId,
        text: &str,
        out: &mut String,
        depth: usize,
    ) -> Option<()> {
        let mut object = Writer::open(out, '{');
        for (key, value) in pairs(text)? {
            let value = value.get();
            if let Some((name, of_rest)) = rest
                && *name == key
            {
                for (key, value) in keys_and_values(value)? {
                    object.key(&key);
                    self.write(*of_rest, &value, object.out, depth);
                }
                continue;
            }
            match members.get(&key) {
                Some(member) if member.is_null_when_absent && value == "null" => {}
                Some(member) => {
                    object.key(&key);
                    self.write(member.step, value, object.out, depth);
                }
                None => {
                    object.key(&key);
                    self.write(others, value, object.out, depth);
                }
            }
        }
        object.close('}');
        Some(())
    }
}

/// The members of an object; `None` for another value.
fn pairs(text: &str) -> Option<Vec<(String, &RawValue)>> {
    let pairs: Pairs<'_> = serde_json::from_str(text).ok()?;
    Some(pairs.0)
}

/// The items of a list; `None` for another value.
fn items(text: &str) -> Option<Vec<&RawValue>> {
    serde_json::from_str(text).ok()
}

/// What a list of objects with `key` and `value` says; `None` for another value.
fn keys_and_values(text: &str) -> Option<Vec<(String, String)>> {
    let pair = |item: &RawValue| {
        let members = pairs(item.get())?;
        let [(a, first), (b, second)] = members.as_slice() else {
            return None;
        };
        let (key, value) = match (a.as_str(), b.as_str()) {
            ("key", "value") => (first, second),
            ("value", "key") => (second, first),
            _ => return None,
        };
        Some((
            serde_json::from_str(key.get()).ok()?,
            value.get().to_owned(),
        ))
    };
    items(text)?.into_iter().map(pair).collect()
}

/// A list or an object that is being written.
struct Writer<'o> {
    out: &'o mut String,
    is_empty: bool,
}

impl<'o> Writer<'o> {
    fn open(out: &'o mut String, bracket: char) -> Self {
        out.push(bracket);
        Self {
            out,
            is_empty: true,
        }
    }

    fn separate(&mut self) {
        if !self.is_empty {
            self.out.push(',');
        }
        self.is_empty = false;
    }

    fn key(&mut self, key: &str) {
        self.separate();
        self.out.push_str(&quoted(key));
        self.out.push(':');
    }

    fn close(self, bracket: char) {
        self.out.push(bracket);
    }
}
