//! The making of a plan.

use std::sync::Arc;

use toolwright_json::tree::{Json, Object};

use super::{
    ArgumentMapping, Inner, KEEP, Step, StepId, Variant,
    form::{ANY, FormId, Forms},
    index::Index,
};

/// The maximum number of pairs of forms that are compared in one schema. After that, no two variants are
/// distinguished.
const MAX_PAIRS: usize = 1_000_000;

/// A plan that is being made.
#[derive(Debug)]
pub(in crate::profile) struct Plan {
    pub(super) steps: Vec<Step>,
    /// The forms of what is sent.
    pub(super) sent: Forms,
    /// The forms of the tool's own schema.
    own: Forms,
    /// The number of pairs of forms that may still be compared.
    pairs_left: usize,
}

impl Plan {
    pub(in crate::profile) fn new() -> Self {
        Self {
            steps: vec![Step::Keep],
            sent: Forms::new(),
            own: Forms::new(),
            pairs_left: MAX_PAIRS,
        }
    }

    /// Adds a step, unless it changes nothing.
    pub(in crate::profile) fn add(&mut self, step: Step) -> StepId {
        if !step.changes(|inner| inner != KEEP) {
            return KEEP;
        }
        self.steps.push(step);
        self.steps.len() - 1
    }

    /// Arguments that stand in a member, since they are no object or of several kinds. `sent` is how
    /// they are sent there, if not as they are.
    pub(in crate::profile) fn root(&mut self, inner: StepId, sent: Option<&Object>) -> StepId {
        let sent = sent.map(|sent| self.sent_as(sent));
        self.add(Step::Root { inner, sent })
    }

    /// A value that is sent as the only member of an object.
    pub(in crate::profile) fn wrapped(&mut self, key: &str, inner: StepId) -> StepId {
        self.add(Step::Wrapped(key.to_owned(), inner))
    }

    /// Adds the form in which a variant is sent.
    pub(in crate::profile) fn sent_as(&mut self, sent: &Object) -> FormId {
        self.sent.add_object(sent)
    }

    /// Says what a reference leads to, as it is sent.
    pub(in crate::profile) fn define(&mut self, reference: &str, sent: &Object) {
        self.sent.define(reference, sent);
    }

    /// One of several, each with its step, as it is sent, and with the tool's own schema of it.
    pub(in crate::profile) fn union<'j>(
        &mut self,
        variants: impl IntoIterator<Item = (StepId, &'j Object, &'j Json)>,
    ) -> StepId {
        let variant = |(step, sent, own)| Variant {
            step,
            sent: self.sent.add_object(sent),
            own: self.own.add(own),
        };
        let variants = variants.into_iter().map(variant).collect();
        self.add(Step::Union(variants))
    }

    /// Returns true if no value that is sent in a form has one of the others too.
    pub(in crate::profile) fn is_apart(&mut self, form: FormId, others: &[FormId]) -> bool {
        let mut others = others.iter();
        others.all(|&other| self.sent.are_apart(form, other, 0, &mut self.pairs_left))
    }

    /// Returns true if a step keeps the type in which values are sent.
    pub(in crate::profile) fn keeps_type(&self, step: StepId) -> bool {
        matches!(
            self.steps[step],
            Step::Keep | Step::Object(_) | Step::List(..)
        )
    }

    /// The steps for the members `0`, `1` and so on of an object.
    pub(in crate::profile) fn members(&self, object: StepId, count: usize) -> Vec<StepId> {
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
    pub(in crate::profile) fn reserve(&mut self) -> StepId {
        self.steps.push(Step::Same(KEEP));
        self.steps.len() - 1
    }

    /// Says what a reserved place does.
    pub(in crate::profile) fn set(&mut self, reserved: StepId, step: StepId) {
        self.steps[reserved] = Step::Same(step);
    }

    pub(in crate::profile) fn finish(mut self, start: StepId, schema: &Json) -> ArgumentMapping {
        let changes = self.changes();
        if !changes[start] {
            return ArgumentMapping::default();
        }
        let mut has_root = false;
        for (step, changes) in self.steps.iter_mut().zip(changes) {
            if !changes {
                *step = Step::Keep;
            }
            has_root |= matches!(step, Step::Root { .. });
        }
        let root = if has_root { self.own.add(schema) } else { ANY };
        self.own.follow(schema);
        let wide = self.steps.iter().enumerate().filter_map(|(place, step)| {
            let Step::Union(variants) = step else {
                return None;
            };
            let of_sent = Index::new(&self.sent, variants, |variant| variant.sent);
            let of_own = Index::new(&self.own, variants, |variant| variant.own);
            (of_sent.is_some() || of_own.is_some()).then_some((place, [of_sent, of_own]))
        });
        let wide = wide.collect();
        ArgumentMapping(Some(Arc::new(Inner {
            steps: self.steps,
            start,
            wide,
            sent: self.sent,
            own: self.own,
            root,
        })))
    }

    /// Finds the steps that change something. The steps of a recursion may turn out to change nothing.
    fn changes(&self) -> Vec<bool> {
        let mut changes = vec![false; self.steps.len()];
        // Steps stand after those they are made of, but for recursions: a few rounds are enough.
        loop {
            let mut more = false;
            for (place, step) in self.steps.iter().enumerate() {
                if changes[place] {
                    continue;
                }
                let now = step.changes(|inner| changes[inner]);
                changes[place] = now;
                more |= now;
            }
            if !more {
                return changes;
            }
        }
    }
}
