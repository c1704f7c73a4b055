//! Detection of variants of a union that the arguments of a call cannot distinguish.
//!
//! The answer may be that they cannot where they can, never the other way round: what is not known
//! yet, such as the inside of a schema that contains itself, counts as anything.
//!
//! To wrap every variant whose form changes would need no such comparison. Measured on the 713 definitions of the corpora in
//! twelve profiles, it sends at most 7 of them (1 percent) in a longer form; enums with a tag and optional members
//! become a third longer.

use std::collections::HashMap;

use super::{
    KEEP, Member, Members, Plan, Step, StepId,
    form::{ARRAY, FormId, OBJECT},
    plan::Sent,
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
    conflicts: HashMap<(Sent, Sent), bool>,
    /// The number of pairs compared so far.
    looked: usize,
}

pub(super) struct Apart<'p> {
    pub(super) plan: &'p Plan,
    pub(super) found: Found,
}

impl Apart<'_> {
    /// Returns true if some JSON text has both forms, and the steps make different values of it.
    pub(super) fn conflict(
        &mut self,
        one: (StepId, FormId),
        other: (StepId, FormId),
        depth: usize,
    ) -> bool {
        if self.same(one.0, other.0, depth) || !self.overlap(one.1, other.1, depth) {
            return false;
        }
        let (first, second) = if one <= other {
            (one, other)
        } else {
            (other, one)
        };
        if let Some(&known) = self.found.conflicts.get(&(first, second)) {
            return known;
        }
        if self.is_spent(depth) {
            return true;
        }
        // What leads back here counts as a conflict.
        self.found.conflicts.insert((first, second), true);
        let conflict = self.differ(one, other, depth + 1);
        self.found.conflicts.insert((first, second), conflict);
        conflict
    }

    fn differ(&mut self, one: (StepId, FormId), other: (StepId, FormId), depth: usize) -> bool {
        let steps = &self.plan.steps;
        match (&steps[one.0], &steps[other.0]) {
            (Step::Union(all), _) => all
                .iter()
                .any(|variant| self.conflict((variant.step, variant.sent), other, depth)),
            (_, Step::Union(all)) => all
                .iter()
                .any(|variant| self.conflict(one, (variant.step, variant.sent), depth)),
            (Step::Object(first), Step::Object(second)) => {
                self.objects((Some(first), one.1), (Some(second), other.1), depth)
            }
            (Step::Object(first), Step::Keep) => {
                self.objects((Some(first), one.1), (None, other.1), depth)
            }
            (Step::Keep, Step::Object(second)) => {
                self.objects((None, one.1), (Some(second), other.1), depth)
            }
            (Step::List(first), Step::List(second)) => {
                self.lists((*first, one.1), (*second, other.1), depth)
            }
            (Step::List(first), Step::Keep) => self.lists((*first, one.1), (KEEP, other.1), depth),
            (Step::Keep, Step::List(second)) => {
                self.lists((KEEP, one.1), (*second, other.1), depth)
            }
            _ => true,
        }
    }

    fn objects(
        &mut self,
        one: (Option<&Members>, FormId),
        other: (Option<&Members>, FormId),
        depth: usize,
    ) -> bool {
        let plan = self.plan;
        let (Some(first), Some(second)) = (self.only(one.1, OBJECT), self.only(other.1, OBJECT))
        else {
            return true;
        };
        let is_simple = |members: Option<&Members>| {
            members.is_none_or(|members| members.rest.is_none() && members.others == KEEP)
        };
        if !is_simple(one.0) || !is_simple(other.0) {
            return true;
        }
        let kept = Member {
            step: KEEP,
            is_null_when_absent: false,
        };
        let member = |members: Option<&Members>, name: &str| {
            let member = members.and_then(|members| members.declared.get(name));
            member.copied().unwrap_or(kept)
        };
        let changed = [one.0, other.0];
        let changed = changed.iter().flatten();
        let changed = changed.flat_map(|members| members.declared.keys());
        let mut names: Vec<&String> = changed.collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter().any(|name| {
            let forms = [first, second].map(|form| plan.sent.get(form).member(name, true));
            let [Some(of_first), Some(of_second)] = forms else {
                // It is there in one of them only, and so in no text that has both forms.
                return false;
            };
            let (in_one, in_other) = (member(one.0, name), member(other.0, name));
            in_one.is_null_when_absent != in_other.is_null_when_absent
                || self.conflict((in_one.step, of_first), (in_other.step, of_second), depth)
        })
    }

    fn lists(&mut self, one: (StepId, FormId), other: (StepId, FormId), depth: usize) -> bool {
        let forms = [one.1, other.1].map(|form| {
            let form = self.plan.sent.get(self.only(form, ARRAY)?);
            form.places.is_empty().then_some(form.items)
        });
        let [Some(first), Some(second)] = forms else {
            return true;
        };
        self.conflict((one.0, first), (other.0, second), depth)
    }

    /// The only one of what a form may be that holds values of a type; `None` if there are several.
    fn only(&self, form: FormId, kind: u8) -> Option<FormId> {
        let mut form = form;
        for _ in 0..16 {
            form = self.plan.sent.resolved(form)?;
            let own = self.plan.sent.get(form);
            if !own.all_of.is_empty() {
                return None;
            }
            let [group] = own.any_of.as_slice() else {
                return own.any_of.is_empty().then_some(form);
            };
            let mut fitting = group.iter().filter(|&&one| {
                let one = self.plan.sent.resolved(one);
                one.is_none_or(|one| self.plan.sent.get(one).types & kind != 0)
            });
            match (fitting.next(), fitting.next()) {
                (Some(&one), None) => form = one,
                _ => return None,
            }
        }
        None
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

    /// Returns true if two steps do the same.
    fn same(&mut self, one: StepId, other: StepId, depth: usize) -> bool {
        if one == other {
            return true;
        }
        if one == KEEP || other == KEEP || self.is_spent(depth) {
            return false;
        }
        let depth = depth + 1;
        let steps = &self.plan.steps;
        match (&steps[one], &steps[other]) {
            (Step::Text, Step::Text) => true,
            (Step::Texts(first), Step::Texts(second)) => {
                self.found.looked += first.len();
                first == second
            }
            (Step::Map(first), Step::Map(second))
            | (Step::List(first), Step::List(second))
            | (Step::Pairs(first), Step::Pairs(second)) => self.same(*first, *second, depth),
            (Step::Places(first, of_first), Step::Places(second, of_second)) => {
                first.len() == second.len()
                    && self.same(*of_first, *of_second, depth)
                    && first
                        .iter()
                        .zip(second)
                        .all(|(&one, &other)| self.same(one, other, depth))
            }
            (Step::Tuple(first), Step::Tuple(second)) => {
                first.len() == second.len()
                    && first
                        .iter()
                        .zip(second)
                        .all(|(&one, &other)| self.same(one, other, depth))
            }
            (Step::Wrapped(key, first), Step::Wrapped(other_key, second)) => {
                key == other_key && self.same(*first, *second, depth)
            }
            (Step::Object(first), Step::Object(second)) => self.same_members(first, second, depth),
            _ => false,
        }
    }

    fn same_members(&mut self, one: &Members, other: &Members, depth: usize) -> bool {
        let rest = match (&one.rest, &other.rest) {
            (None, None) => true,
            (Some((name, first)), Some((other, second))) => {
                name == other && self.same(*first, *second, depth)
            }
            _ => false,
        };
        rest && one.declared.len() == other.declared.len()
            && self.same(one.others, other.others, depth)
            && one.declared.iter().all(|(name, first)| {
                let second = other.declared.get(name);
                second.is_some_and(|second| {
                    first.is_null_when_absent == second.is_null_when_absent
                        && self.same(first.step, second.step, depth)
                })
            })
    }

    fn is_spent(&mut self, depth: usize) -> bool {
        self.found.looked += 1;
        self.found.looked > PAIRS || depth > MAX_DEPTH
    }
}
