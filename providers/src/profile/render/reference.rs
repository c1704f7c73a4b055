//! References to other places of the schema.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    rc::Rc,
};

use toolwright_json::{
    schema_draft::{local_reference::pointer, pointers},
    tree::{Json, Object},
};

use super::{
    super::{Cost, Reason, Recursion},
    At, Fault, MAX_PLACES, Renderer, Sent, form,
    merge::{Left, merge_into},
};
use crate::profile::restore::StepId;

/// The maximum number of references that are followed in the search for those that lead back to themselves.
const MAX_FOLLOWED: usize = 200_000;

/// A schema under `$defs`.
struct Definition {
    name: String,
    step: StepId,
    /// `None` while it is written.
    schema: Option<Object>,
    /// The number of levels of objects in it.
    levels: usize,
    /// The cost of each use of it.
    cost: Cost,
}

/// The references that have been met.
#[derive(Default)]
pub(super) struct References {
    /// The schemas that are sent as definitions.
    definitions: Vec<Definition>,
    /// The position in `definitions` of the schema behind each pointer.
    places: HashMap<String, usize>,
    /// The names of definitions, each with the last number that was put behind it.
    names: HashMap<String, usize>,
    /// The pointers that have been checked: true if the schema behind one contains itself.
    recursive: HashMap<String, bool>,
    /// The references in what a pointer leads to.
    inside: HashMap<String, Rc<[String]>>,
    /// The number of references followed so far.
    followed: usize,
}

impl<'r> Renderer<'r> {
    /// Writes a schema with `$ref`.
    pub(super) fn reference(&mut self, schema: &Object, at: &At) -> Result<Sent, Fault> {
        let reference = schema.text("$ref").unwrap_or_default();
        let (pointer, _) = self.target(reference).map_err(|reason| at.fault(reason))?;
        let is_recursive = self.is_recursive(&pointer);
        let refuse = || {
            let reference = reference.to_owned();
            Err(at.fault(Reason::Recursion { reference }))
        };
        let recursion = self.profile.recursion;
        let is_sent = self.profile.references && recursion != Recursion::Refused;
        if is_recursive && !is_sent {
            return refuse();
        }
        let siblings = schema.keys().any(|key| !key.starts_with('$'));
        if !is_recursive && (!self.profile.references || siblings) {
            let inlined = self.inlined(schema, at)?;
            return self.place(&inlined.into(), &at.inner(""));
        }
        let (name, step, is_open) = self.definition(&pointer, at)?;
        if is_open && recursion == Recursion::BelowOptional && !at.is_below_optional {
            return refuse();
        }
        let mut sent = Object::new();
        sent.push("$ref", format!("#/$defs/{name}").as_str());
        if siblings {
            // Beside a reference stands nothing.
            sent = Object::from_iter([("anyOf", Json::List(vec![sent.into()]))]);
            return Ok(self.words(sent, schema, &["$ref"], &[], step, at));
        }
        Ok(Sent { schema: sent, step })
    }

    /// Replaces the reference of a schema by its target, joined with the other keywords of the schema.
    pub(super) fn inlined(&mut self, schema: &Object, at: &At) -> Result<Object, Fault> {
        let mut schema = schema.clone();
        let mut seen = HashSet::new();
        while let Some(reference) = schema.remove("$ref") {
            let reference = reference.as_str().unwrap_or_default().to_owned();
            self.places += 1;
            if !seen.insert(reference.clone()) {
                return Err(at.fault(Reason::Recursion { reference }));
            }
            let (_, target) = self.target(&reference).map_err(|reason| at.fault(reason))?;
            self.spend(form::size(target));
            self.check_size(at)?;
            schema = match target {
                Json::Object(target) => {
                    let (mut all, mut left) = (target.clone(), Left::new());
                    merge_into(&mut all, &schema, &mut left)
                        .map_err(|keyword| at.fault(Reason::AllOf { keyword }))?;
                    self.with_left(all, left, at)
                }
                Json::Bool(false) => return Err(at.fault(Reason::Nothing)),
                _ => schema,
            };
        }
        Ok(schema)
    }

    /// The pointer of a reference and what it leads to.
    pub(super) fn target(&self, reference: &str) -> Result<(String, &'r Json), Reason> {
        let pointer = pointer(reference, self.root);
        let is_anchor = |pointer: &Cow<'_, str>| !pointer.is_empty() && !pointer.starts_with('/');
        if pointer.as_ref().is_some_and(is_anchor) {
            let reference = reference.to_owned();
            return Err(Reason::Anchor { reference });
        }
        let found = pointer.and_then(|pointer| {
            let target = self.root.pointer(&pointer)?;
            Some((pointer.into_owned(), target))
        });
        found.ok_or_else(|| Reason::Reference {
            reference: reference.to_owned(),
        })
    }

    /// Writes a definition when it is first met. Gives its name, its step, and whether it is still
    /// being written.
    fn definition(&mut self, pointer: &str, at: &At) -> Result<(String, StepId, bool), Fault> {
        let place = match self.references.places.get(pointer) {
            Some(&place) => {
                // Each use is a place of its own, though it is written once.
                let once = self.references.definitions[place].cost;
                self.cost.optional = self.cost.optional.saturating_add(once.optional);
                self.cost.unions = self.cost.unions.saturating_add(once.unions);
                place
            }
            None => self.write_definition(pointer, at)?,
        };
        let known = &self.references.definitions[place];
        self.deepest = self.deepest.max(at.level + known.levels);
        match self.profile.max_levels {
            Some(limit) if at.level + known.levels > limit => {
                Err(at.fault(Reason::Levels { limit }))
            }
            _ => Ok((known.name.clone(), known.step, known.schema.is_none())),
        }
    }

    fn write_definition(&mut self, pointer: &str, at: &At) -> Result<usize, Fault> {
        let Some(target) = self.root.pointer(pointer) else {
            unreachable!("`target` has found it");
        };
        let place = self.references.definitions.len();
        let step = self.plan.reserve();
        let name = self.free_name(pointer);
        self.cost.chars += name.len();
        self.references.places.insert(pointer.to_owned(), place);
        self.references.definitions.push(Definition {
            name,
            cost: Cost::default(),
            step,
            schema: None,
            levels: 0,
        });
        let before = std::mem::replace(&mut self.deepest, at.level);
        let mut inside = at.inner("");
        inside.is_below_optional = false;
        // Not the arguments themselves, whose members have names of their own rules.
        inside.level = inside.level.max(1);
        let outside = self.cost;
        let sent = self.place(target, &inside)?;
        let once = Cost {
            optional: self.cost.optional.saturating_sub(outside.optional),
            unions: self.cost.unions.saturating_sub(outside.unions),
            ..Cost::default()
        };
        self.plan.set(step, sent.step);
        let name = &self.references.definitions[place].name;
        self.plan.define(&format!("#/$defs/{name}"), &sent.schema);
        let levels = self.deepest.saturating_sub(at.level);
        self.deepest = self.deepest.max(before);
        let definition = &mut self.references.definitions[place];
        definition.step = sent.step;
        definition.schema = Some(sent.schema);
        definition.levels = levels;
        definition.cost = once;
        Ok(place)
    }

    /// A name of letters, digits and `_` that no other definition has.
    fn free_name(&mut self, pointer: &str) -> String {
        let last = pointer.rsplit('/').next().unwrap_or_default();
        let clean = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut name: String = last.chars().map(clean).take(60).collect();
        if name.is_empty() {
            name.push_str("arguments");
        }
        let first = name.clone();
        let mut number = self.references.names.get(&first).copied().unwrap_or(1);
        while self.references.names.contains_key(&name) {
            number += 1;
            name = format!("{first}_{number}");
        }
        self.references.names.insert(first, number);
        self.references.names.entry(name.clone()).or_insert(1);
        name
    }

    /// Returns the content of `$defs`; `None` if it is empty.
    pub(super) fn written_definitions(&mut self) -> Option<Object> {
        let all = std::mem::take(&mut self.references.definitions);
        let all = all
            .into_iter()
            .map(|one| (one.name, Json::from(one.schema.unwrap_or_default())));
        let all: Object = all.collect();
        (!all.is_empty()).then_some(all)
    }

    /// The references in what a pointer leads to, looked for once.
    fn references(&mut self, pointer: &str) -> Rc<[String]> {
        if let Some(known) = self.references.inside.get(pointer) {
            return Rc::clone(known);
        }
        let mut found = Vec::new();
        if let Some(target) = self.root.pointer(pointer) {
            self.spend(form::size(target));
            pointers::collect(target, self.root, &mut found);
        }
        let found: Rc<[String]> = found.into();
        self.references
            .inside
            .insert(pointer.to_owned(), Rc::clone(&found));
        found
    }

    /// Returns true if the schema behind a pointer leads back to itself.
    fn is_recursive(&mut self, pointer: &str) -> bool {
        if let Some(&known) = self.references.recursive.get(pointer) {
            return known;
        }
        let mut seen = HashSet::new();
        let mut waiting = vec![pointer.to_owned()];
        let mut found = false;
        while let Some(next) = waiting.pop() {
            let references = self.references(&next);
            self.references.followed += references.len();
            for reference in references.iter() {
                found |= reference == pointer;
                if !seen.contains(reference) {
                    seen.insert(reference.clone());
                    waiting.push(reference.clone());
                }
            }
            if self.references.followed > MAX_FOLLOWED {
                // The next schema is refused.
                self.places = MAX_PLACES + 1;
            }
            if found || self.references.followed > MAX_FOLLOWED {
                break;
            }
        }
        self.references.recursive.insert(pointer.to_owned(), found);
        found
    }
}
