//! The way back: from the arguments that a provider sends to those of the tool.

mod fits;
mod parts;
mod walk;

use std::{borrow::Cow, collections::HashMap, fmt, sync::Arc};

use serde_json::value::RawValue;

use super::json::Json;
use fits::Fits;
use walk::{Walk, Way};

/// How arguments in the form of a provider become those of the tool: made while its schema is
/// written.
///
/// Cheap to clone. For a schema that was sent as it is it does nothing.
#[derive(Clone, Default)]
pub struct Undo(Option<Arc<Inner>>);

struct Inner {
    steps: Vec<Step>,
    start: StepId,
    /// The tool's own schema, by which the variants of a union are told apart.
    schema: Json,
}

/// Where a step stands in its plan.
pub(super) type StepId = usize;

/// The step that changes nothing. It is the first of every plan.
pub(super) const KEEP: StepId = 0;

/// What is done in one place.
#[derive(Debug)]
pub(super) enum Step {
    /// Nothing.
    Keep,
    /// What is done elsewhere: the start of a recursion.
    Same(StepId),
    /// An object of known members.
    Object(Members),
    /// An object of any keys.
    Map(StepId),
    /// A list.
    List(StepId),
    /// A list whose places differ.
    Places(Vec<StepId>),
    /// An object of any keys that came as pairs.
    Pairs(StepId),
    /// A list that came as an object.
    Tuple(Vec<StepId>),
    /// Any value that came as JSON in a text.
    Text,
    /// Values that came as other texts.
    Texts(Vec<(String, String)>),
    /// A value that came in an object of one key.
    Wrapped(StepId),
    /// One of several, each with the schema that its result fits.
    Union(Vec<(StepId, Json)>),
}

/// What is done to the members of an object.
#[derive(Debug)]
pub(super) struct Members {
    /// Those that are declared; where others have steps of their own, all of them.
    pub(super) declared: HashMap<String, Member>,
    /// Those that come as null when they are left out, in order.
    pub(super) nulls: Vec<String>,
    /// The member that holds those of other keys, as pairs; and what is done to each value.
    pub(super) rest: Option<(String, StepId)>,
    /// What is done to a member of another key.
    pub(super) others: StepId,
}

impl Members {
    /// Leaves out what need not be known to do nothing to it.
    pub(super) fn needed(mut self) -> Self {
        if self.rest.is_none() && self.others == KEEP {
            self.declared
                .retain(|_, member| member.is_null_when_absent || member.step != KEEP);
        }
        self
    }
}

/// What is done to a member.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub(super) step: StepId,
    /// Whether null says that it is left out.
    pub(super) is_null_when_absent: bool,
}

/// The key of the only member of an object that stands for a value that is none.
pub(super) const WRAPPER: &str = "value";

/// A plan that is being made.
#[derive(Debug)]
pub(super) struct Plan {
    steps: Vec<Step>,
}

impl Plan {
    pub(super) fn new() -> Self {
        Self {
            steps: vec![Step::Keep],
        }
    }

    /// Adds a step, unless it changes nothing.
    pub(super) fn add(&mut self, step: Step) -> StepId {
        let changes_nothing = match &step {
            Step::Keep => true,
            Step::Object(object) => {
                object.rest.is_none() && object.declared.is_empty() && object.others == KEEP
            }
            Step::Map(inner) | Step::List(inner) => *inner == KEEP,
            Step::Places(inner) => inner.iter().all(|&inner| inner == KEEP),
            Step::Union(variants) => variants.iter().all(|(inner, _)| *inner == KEEP),
            Step::Texts(texts) => texts.is_empty(),
            Step::Same(_) | Step::Pairs(_) | Step::Tuple(_) | Step::Text | Step::Wrapped(_) => {
                false
            }
        };
        if changes_nothing {
            return KEEP;
        }
        self.steps.push(step);
        self.steps.len() - 1
    }

    /// What is done to the members `0`, `1` and so on of an object.
    pub(super) fn members(&self, object: StepId, count: usize) -> Vec<StepId> {
        let members = match &self.steps[object] {
            Step::Object(object) => Some(&object.declared),
            _ => None,
        };
        let step = |index: usize| members?.get(&index.to_string()).map(|member| member.step);
        (0..count)
            .map(|index| step(index).unwrap_or(KEEP))
            .collect()
    }

    /// A place in the plan for a step that is not known yet.
    pub(super) fn reserve(&mut self) -> StepId {
        self.add(Step::Same(KEEP))
    }

    /// Says what a reserved place does.
    pub(super) fn set(&mut self, reserved: StepId, step: StepId) {
        self.steps[reserved] = Step::Same(step);
    }

    pub(super) fn finish(mut self, start: StepId, schema: &Json) -> Undo {
        let changes = self.changes();
        if !changes[start] {
            return Undo::default();
        }
        for (step, changes) in self.steps.iter_mut().zip(changes) {
            if !changes {
                *step = Step::Keep;
            }
        }
        Undo(Some(Arc::new(Inner {
            steps: self.steps,
            start,
            schema: schema.clone(),
        })))
    }

    /// Which steps change anything: those of a recursion may turn out not to.
    fn changes(&self) -> Vec<bool> {
        let mut changes = vec![false; self.steps.len()];
        // Steps stand after those they are made of, but for recursions: a few rounds are enough.
        loop {
            let mut more = false;
            for (place, step) in self.steps.iter().enumerate() {
                if changes[place] {
                    continue;
                }
                let of = |&inner: &StepId| changes[inner];
                let now = match step {
                    Step::Keep => false,
                    Step::Pairs(_)
                    | Step::Tuple(_)
                    | Step::Text
                    | Step::Texts(_)
                    | Step::Wrapped(_) => true,
                    Step::Same(inner) | Step::Map(inner) | Step::List(inner) => of(inner),
                    Step::Places(inner) => inner.iter().any(of),
                    Step::Union(variants) => variants.iter().any(|(inner, _)| of(inner)),
                    Step::Object(object) => {
                        let mut members = object.declared.values();
                        object.rest.is_some()
                            || of(&object.others)
                            || members.any(|member| member.is_null_when_absent || of(&member.step))
                    }
                };
                changes[place] = now;
                more |= now;
            }
            if !more {
                return changes;
            }
        }
    }
}

impl Undo {
    /// The arguments of the tool. Numbers keep every digit, and what is not changed is copied as it
    /// was written.
    ///
    /// A part that does not have the form that was asked for stays as it is, so that decoding says
    /// what is wrong with it; so does a text that is no JSON. Where variants of a union are sent in
    /// different forms, the first counts whose result fits the tool's own schema.
    pub fn apply<'t>(&self, arguments: &'t str) -> Cow<'t, str> {
        self.walk(Way::Back, arguments)
    }

    /// Arguments of the tool in the form that the provider asks for: those of an earlier call, which
    /// go to a model that knows only that form. What [`apply`](Self::apply) makes of it are the
    /// arguments again.
    ///
    /// A part that the tool's own schema does not have stays as it is; so does a text that is no
    /// JSON. What is left out comes after what is there. A null that is the same as leaving the member
    /// out ([`Kept::AsAbsent`](super::Kept::AsAbsent)) stays null.
    pub fn redo<'t>(&self, arguments: &'t str) -> Cow<'t, str> {
        self.walk(Way::Again, arguments)
    }

    fn walk<'t>(&self, way: Way, arguments: &'t str) -> Cow<'t, str> {
        let Some(inner) = &self.0 else {
            return Cow::Borrowed(arguments);
        };
        let Ok(json) = serde_json::from_str::<&RawValue>(arguments) else {
            return Cow::Borrowed(arguments);
        };
        let mut walk = Walk::new(way, &inner.steps, &inner.schema, arguments.len());
        let mut text = String::with_capacity(arguments.len());
        walk.write(inner.start, json.get(), &mut text, 0);
        if text == arguments {
            return Cow::Borrowed(arguments);
        }
        Cow::Owned(text)
    }

    /// Whether it does nothing to any arguments.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

impl fmt::Debug for Undo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_tuple("Undo");
        match &self.0 {
            Some(inner) => debug.field(&inner.steps).finish(),
            None => debug.finish(),
        }
    }
}
