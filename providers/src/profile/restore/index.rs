//! Index of the variants of a wide union that a value may have: each is found by a member that it requires,
//! or by one of the values of its tag, and the others are not looked at.

use std::collections::HashMap;

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
    /// By a member, in any or in one of certain values.
    by_member: HashMap<String, OfMember>,
    /// By one of the values that a variant lists.
    by_value: HashMap<String, Vec<usize>>,
    /// The variants of which nothing of the kind is known.
    others: Vec<usize>,
}

#[derive(Debug, Default)]
struct OfMember {
    any: Vec<usize>,
    by_value: HashMap<String, Vec<usize>>,
}

/// A key under which a variant is found.
enum Key<'f> {
    Member(&'f str),
    Tag(&'f str, &'f [String]),
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
        let all: Vec<Option<&Form>> = variants
            .iter()
            .map(|variant| Some(forms.get(forms.resolved(form_of(variant))?)))
            .collect();
        let mut counts: HashMap<(&str, Option<&str>), usize> = HashMap::new();
        for form in all.iter().flatten() {
            for key in keys(forms, form) {
                match key {
                    Key::Member(name) => *counts.entry((name, None)).or_default() += 1,
                    Key::Tag(name, values) => {
                        for value in values {
                            *counts.entry((name, Some(value))).or_default() += 1;
                        }
                    }
                }
            }
        }
        let count = |key: &Key<'_>| match *key {
            Key::Member(name) => counts.get(&(name, None)).copied().unwrap_or(0),
            Key::Tag(name, values) => {
                let of = |value: &String| counts.get(&(name, Some(value.as_str()))).copied();
                values.iter().filter_map(of).max().unwrap_or(0)
            }
        };
        let mut index = Self::default();
        for (place, form) in all.into_iter().enumerate() {
            let best = form.and_then(|form| keys(forms, form).min_by_key(count));
            match (best, form.map(|form| (form.types & OBJECT, &form.values))) {
                (Some(Key::Member(name)), _) => index.member(name).any.push(place),
                (Some(Key::Tag(name, values)), _) => {
                    for value in values {
                        let of_value = &mut index.member(name).by_value;
                        of_value.entry(value.clone()).or_default().push(place);
                    }
                }
                (None, Some((0, Some(values)))) if values.len() <= MAX_KEYS => {
                    for value in values {
                        index.by_value.entry(value.clone()).or_default().push(place);
                    }
                }
                _ => index.others.push(place),
            }
        }
        Some(index)
    }

    fn member(&mut self, name: &str) -> &mut OfMember {
        self.by_member.entry(name.to_owned()).or_default()
    }

    /// The variants that a value may be of, in order.
    pub(super) fn candidates(&self, nodes: &Nodes<'_>, node: NodeId) -> Vec<usize> {
        let mut found = self.others.clone();
        let value = |node: NodeId| {
            let node = nodes.get(node);
            let json = match node.content {
                Content::Nothing => Json::parse(node.text).ok()?,
                Content::List(_) | Content::Object(_) => return None,
            };
            Some(canonical(&json))
        };
        if let Some(parts) = nodes.object(node) {
            for (key, member) in &parts.all {
                let Some(known) = self.by_member.get(&**key) else {
                    continue;
                };
                found.extend(&known.any);
                if !known.by_value.is_empty()
                    && let Some(places) =
                        value(*member).and_then(|value| known.by_value.get(&value))
                {
                    found.extend(places);
                }
            }
        } else if let Some(places) = value(node).and_then(|value| self.by_value.get(&value)) {
            found.extend(places);
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Returns the keys under which the values of an object's form are found.
fn keys<'f>(forms: &'f Forms, form: &'f Form) -> impl Iterator<Item = Key<'f>> {
    let required = form.required.iter().filter(|_| form.types == OBJECT);
    required.take(MAX_KEYS).map(|name| {
        let values = form
            .property(name)
            .and_then(|form| forms.get(form).values.as_ref());
        match values {
            Some(values) if values.len() <= MAX_KEYS => Key::Tag(name, values),
            _ => Key::Member(name),
        }
    })
}
