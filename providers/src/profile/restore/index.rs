//! Index of the variants of a wide union that a value may have: each is found by a member that it requires,
//! or by one of the values of its tag, and the others are not looked at.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
};

use toolwright_json::{
    spans::{Content, NodeId, Nodes},
    tree::Json,
};

use super::{
    Variant,
    form::{Form, FormId, Forms, OBJECT, canonical},
};

/// From how many variants on they are looked up and not searched through.
const MANY: usize = 16;
/// The maximum number of members of a variant in the index, and of values of one member.
const MAX_KEYS: usize = 16;

/// The variants of a union by what tells them from most of the others.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// By the hash of a key. If two keys have the same, only more variants are looked at.
    by_key: HashMap<u64, Vec<usize>>,
    /// The variants of which nothing of the kind is known.
    others: Vec<usize>,
    hasher: RandomState,
}

impl Index {
    /// The variants by their forms; `None` where they are few.
    pub(super) fn new(
        forms: &Forms,
        variants: &[Variant],
        form_of: impl Fn(&Variant) -> FormId,
    ) -> Option<Self> {
        if variants.len() < MANY {
            return None;
        }
        let mut index = Self::default();
        let groups = |variant| {
            let form = forms.resolved(form_of(variant))?;
            Some(index.groups(forms, forms.get(form)))
        };
        let all: Vec<_> = variants.iter().map(groups).collect();
        let mut counts = HashMap::<u64, usize>::new();
        for key in all.iter().flatten().flatten().flatten() {
            *counts.entry(*key).or_default() += 1;
        }
        for (place, groups) in all.iter().enumerate() {
            let most = |keys: &&Vec<u64>| keys.iter().map(|key| counts[key]).max();
            let Some(keys) = groups.iter().flatten().min_by_key(most) else {
                index.others.push(place);
                continue;
            };
            for key in keys {
                index.by_key.entry(*key).or_default().push(place);
            }
        }
        Some(index)
    }

    /// The key of a member, in any or in one value; without a name that of a value.
    fn key(&self, name: Option<&str>, value: Option<&str>) -> u64 {
        self.hasher.hash_one((name, value))
    }

    /// Groups of keys: of each, every value of the form has one.
    fn groups(&self, forms: &Forms, form: &Form) -> Vec<Vec<u64>> {
        let keys = |name: Option<&str>, form: &Form| -> Option<Vec<u64>> {
            let values = form.values.as_ref()?;
            // Lists and objects are not looked up.
            let is_scalar = |value: &String| !value.starts_with(['[', '{']);
            let is_short = values.len() <= MAX_KEYS && values.iter().all(is_scalar);
            let keys = values.iter().map(|value| self.key(name, Some(value)));
            is_short.then(|| keys.collect())
        };
        if form.types != OBJECT {
            let keys = keys(None, form).filter(|_| form.types & OBJECT == 0);
            return keys.into_iter().collect();
        }
        let of_member = |name: &String| {
            let member = form.property(name).map(|member| forms.get(member));
            let tag = member.and_then(|member| keys(Some(name), member));
            tag.unwrap_or_else(|| vec![self.key(Some(name), None)])
        };
        form.required.iter().take(MAX_KEYS).map(of_member).collect()
    }

    /// The variants that a value may be of, in order.
    pub(super) fn candidates(&self, nodes: &Nodes<'_>, node: NodeId) -> Vec<usize> {
        let mut found = self.others.clone();
        let mut find = |name: Option<&str>, value: Option<&str>| {
            let places = self.by_key.get(&self.key(name, value));
            found.extend(places.into_iter().flatten());
        };
        let scalar = |node: NodeId| {
            let node = nodes.get(node);
            let is_scalar = matches!(node.content, Content::Nothing);
            let json = is_scalar.then(|| Json::parse(node.text).ok())??;
            Some(canonical(&json))
        };
        if let Some(parts) = nodes.object(node) {
            for (key, member) in &parts.all {
                find(Some(key), None);
                if let Some(value) = scalar(*member) {
                    find(Some(key), Some(&value));
                }
            }
        } else if let Some(value) = scalar(node) {
            find(None, Some(&value));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
