//! References to other places of the schema.

use std::collections::HashSet;

use super::{
    super::{
        Reason, Recursion,
        json::{Json, Object},
        undo::StepId,
    },
    At, Fault, MAX_PLACES, Renderer, Sent,
    merge::merge,
};

/// What stands under `$defs`.
pub(super) struct Definition {
    pointer: String,
    name: String,
    step: StepId,
    /// `None` while it is written.
    schema: Option<Object>,
    /// How many levels of objects it has.
    levels: usize,
}

impl<'r> Renderer<'r> {
    /// Writes a schema with `$ref`.
    pub(super) fn reference(&mut self, schema: &Object, at: &At) -> Result<Sent, Fault> {
        let reference = schema.text("$ref").unwrap_or_default();
        let pointer = self.target(reference, at)?.0.to_owned();
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
            self.words(&mut sent, schema, &[], step, at);
        }
        Ok(Sent { schema: sent, step })
    }

    /// What a reference leads to, with what stands beside it.
    pub(super) fn inlined(&mut self, schema: &Object, at: &At) -> Result<Object, Fault> {
        let mut schema = schema.clone();
        let mut seen = HashSet::new();
        while let Some(reference) = schema.remove("$ref") {
            let reference = reference.as_str().unwrap_or_default().to_owned();
            self.places += 1;
            if !seen.insert(reference.clone()) {
                return Err(at.fault(Reason::Recursion { reference }));
            }
            schema = match self.target(&reference, at)?.1 {
                Json::Object(target) => {
                    merge(target, &schema).map_err(|keyword| at.fault(Reason::AllOf { keyword }))?
                }
                Json::Bool(false) => return Err(at.fault(Reason::Nothing)),
                _ => schema,
            };
        }
        Ok(schema)
    }

    /// The pointer of a reference and what it leads to.
    fn target<'p>(&self, reference: &'p str, at: &At) -> Result<(&'p str, &'r Json), Fault> {
        let pointer = reference.strip_prefix('#');
        let found = pointer.and_then(|pointer| Some((pointer, self.root.pointer(pointer)?)));
        found.ok_or_else(|| {
            let reference = reference.to_owned();
            at.fault(Reason::Reference { reference })
        })
    }

    /// Writes a definition when it is first met. Gives its name, its step, and whether it is still
    /// being written.
    fn definition(&mut self, pointer: &str, at: &At) -> Result<(String, StepId, bool), Fault> {
        let known = self
            .definitions
            .iter()
            .position(|known| known.pointer == pointer);
        let place = match known {
            Some(place) => place,
            None => self.write_definition(pointer, at)?,
        };
        let known = &self.definitions[place];
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
        let place = self.definitions.len();
        let step = self.plan.reserve();
        let name = self.free_name(pointer);
        self.cost.chars += name.len();
        self.definitions.push(Definition {
            pointer: pointer.to_owned(),
            name,
            step,
            schema: None,
            levels: 0,
        });
        let before = std::mem::replace(&mut self.deepest, at.level);
        let mut inside = at.inner("");
        inside.is_below_optional = false;
        // Not the arguments themselves, whose members have names of their own rules.
        inside.level = inside.level.max(1);
        let sent = self.place(target, &inside)?;
        self.plan.set(step, sent.step);
        let name = &self.definitions[place].name;
        self.plan.define(&format!("#/$defs/{name}"), &sent.schema);
        let levels = self.deepest.saturating_sub(at.level);
        self.deepest = self.deepest.max(before);
        let definition = &mut self.definitions[place];
        definition.schema = Some(sent.schema);
        definition.levels = levels;
        Ok(place)
    }

    /// A name of letters, digits and `_` that no other definition has.
    fn free_name(&self, pointer: &str) -> String {
        let last = pointer.rsplit('/').next().unwrap_or_default();
        let clean = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut name: String = last.chars().map(clean).take(60).collect();
        if name.is_empty() {
            name.push_str("arguments");
        }
        let is_taken = |name: &str| self.definitions.iter().any(|other| other.name == name);
        let first = name.clone();
        let mut number = 2;
        while is_taken(&name) {
            name = format!("{first}_{number}");
            number += 1;
        }
        name
    }

    /// What goes under `$defs`; `None` for nothing.
    pub(super) fn written_definitions(&mut self) -> Option<Object> {
        let all = std::mem::take(&mut self.definitions);
        let all = all
            .into_iter()
            .map(|one| (one.name, Json::from(one.schema.unwrap_or_default())));
        let all: Object = all.collect();
        (!all.is_empty()).then_some(all)
    }

    /// Whether what a pointer leads to leads back to itself.
    fn is_recursive(&mut self, pointer: &str) -> bool {
        if let Some(&known) = self.recursive.get(pointer) {
            return known;
        }
        let mut seen = HashSet::new();
        let mut waiting = vec![pointer.to_owned()];
        let mut found = false;
        while let Some(next) = waiting.pop() {
            let mut references = Vec::new();
            if let Some(target) = self.root.pointer(&next) {
                collect(target, &mut references);
            }
            self.places += references.len();
            for reference in references {
                found |= reference == pointer;
                if seen.insert(reference.clone()) {
                    waiting.push(reference);
                }
            }
            // Beyond the limit the next schema is refused.
            if found || self.places > MAX_PLACES {
                break;
            }
        }
        self.recursive.insert(pointer.to_owned(), found);
        found
    }
}

/// The pointers of all references in a schema, and in what is no schema in it: more is no harm.
fn collect(json: &Json, references: &mut Vec<String>) {
    match json {
        Json::Object(object) => {
            for (key, value) in object.iter() {
                match (key, value) {
                    ("$ref", Json::String(reference)) => {
                        references.extend(reference.strip_prefix('#').map(str::to_owned));
                    }
                    ("$defs" | "definitions" | "enum" | "const" | "default" | "examples", _) => {}
                    (_, value) => collect(value, references),
                }
            }
        }
        Json::List(items) => items.iter().for_each(|item| collect(item, references)),
        _ => {}
    }
}
