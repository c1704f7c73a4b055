//! Detection of variants of a union that the arguments of a call cannot distinguish.
//!
//! The answer may be that they cannot where they can, never the other way round: what is not known
//! yet, such as the inside of a schema that contains itself, counts as anything, and so do two ways back that differ,
//! whatever they would make of a text that has both forms. Of the 713 definitions of the corpora none is sent in a
//! longer form for that in any profile. Without this module, with every variant wrapped whose form changes, seven are.

use std::collections::HashMap;

use super::{
    Plan, StepId,
    form::{ARRAY, FormId, OBJECT},
};

/// The maximum number of pairs that are compared in one schema. After that, no two variants are
/// distinguished.
pub(super) const PAIRS: usize = 1_000_000;

/// The maximum depth to which steps are compared.
const MAX_DEPTH: usize = 60;

/// The results found so far.
#[derive(Debug, Default)]
pub(super) struct Found {
    overlaps: HashMap<(FormId, FormId), bool>,
    /// The number of pairs compared so far.
    looked: usize,
}

pub(super) struct Apart<'p> {
    pub(super) plan: &'p Plan,
    pub(super) found: Found,
}

impl Apart<'_> {
    /// Returns true if the steps differ, and some JSON text may have both forms: its variant is not known then.
    pub(super) fn conflict(
        &mut self,
        one: (StepId, FormId),
        other: (StepId, FormId),
        depth: usize,
    ) -> bool {
        one.0 != other.0 && self.overlap(one.1, other.1, depth)
    }

    /// Returns true if some JSON text may have both forms. `closed` objects have no members but their own.
    fn overlap(&mut self, one: FormId, other: FormId, depth: usize) -> bool {
        let forms = &self.plan.sent;
        let (Some(one), Some(other)) = (forms.resolved(one), forms.resolved(other)) else {
            return true;
        };
        let pair = (one.min(other), one.max(other));
        if let Some(&known) = self.found.overlaps.get(&pair) {
            return known;
        }
        if self.is_spent(depth) {
            return true;
        }
        self.found.overlaps.insert(pair, true);
        let overlap = self.meet(pair.0, pair.1, depth + 1);
        self.found.overlaps.insert(pair, overlap);
        overlap
    }

    fn meet(&mut self, one: FormId, other: FormId, depth: usize) -> bool {
        let plan = self.plan;
        let (first, second) = (plan.sent.get(one), plan.sent.get(other));
        let types = first.types & second.types;
        if types == 0 {
            return false;
        }
        if let (Some(first), Some(second)) = (&first.values, &second.values) {
            return first
                .iter()
                .any(|value| second.binary_search(value).is_ok());
        }
        // The types of the values are beside them.
        for (group, other) in first
            .any_of
            .iter()
            .map(|group| (group, other))
            .chain(second.any_of.iter().map(|group| (group, one)))
        {
            if !group.iter().any(|&one| self.overlap(one, other, depth)) {
                return false;
            }
        }
        if types & !(OBJECT | ARRAY) != 0 {
            return true;
        }
        types & OBJECT != 0 && self.objects_meet(one, other, depth)
            || types & ARRAY != 0 && self.lists_meet(one, other, depth)
    }

    fn objects_meet(&mut self, one: FormId, other: FormId, depth: usize) -> bool {
        let plan = self.plan;
        let (first, second) = (plan.sent.get(one), plan.sent.get(other));
        self.found.looked += first.required.len() + second.required.len();
        let required = || {
            let of_first = first.required.iter();
            let of_second = second.required.iter();
            of_first.chain(of_second.filter(|name| first.required.binary_search(name).is_err()))
        };
        // Which names there are says more than what is in them.
        for name in required() {
            if first.member(name, true).is_none() || second.member(name, true).is_none() {
                return false;
            }
        }
        let lists_values = |form: FormId| plan.sent.get(form).values.is_some();
        for is_early in [true, false] {
            for name in required() {
                let forms = [first, second].map(|form| form.member(name, true));
                let [Some(of_first), Some(of_second)] = forms else {
                    continue;
                };
                let is_tag = lists_values(of_first) && lists_values(of_second);
                if is_tag == is_early && !self.overlap(of_first, of_second, depth) {
                    return false;
                }
            }
        }
        true
    }

    fn lists_meet(&mut self, one: FormId, other: FormId, depth: usize) -> bool {
        let plan = self.plan;
        let (first, second) = (plan.sent.get(one), plan.sent.get(other));
        let least = |[least, _]: [Option<u64>; 2]| least.unwrap_or(0);
        if least(first.limits.items).max(least(second.limits.items)) == 0 {
            // The empty list.
            return true;
        }
        let [of_first, of_second] =
            [first, second].map(|form| form.places.first().copied().unwrap_or(form.items));
        self.overlap(of_first, of_second, depth)
    }

    fn is_spent(&mut self, depth: usize) -> bool {
        self.found.looked += 1;
        self.found.looked > PAIRS || depth > MAX_DEPTH
    }
}
