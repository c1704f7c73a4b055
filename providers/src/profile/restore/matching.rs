//! Comparison of values with forms.

use std::collections::HashMap;

use toolwright_json::{
    spans::{Content, NodeId, Nodes, Parts},
    tree::Json,
};

use super::form::{
    ANY, ARRAY, BOOLEAN, FRACTION, Form, FormId, Forms, INTEGER, NULL, OBJECT, STRING, canonical,
};

/// The maximum depth of nested forms that are followed. Beyond it, nothing fits.
const MAX_DEPTH: usize = 300;
/// The maximum number of pairs of a value and a form that are compared, before the additional ones for each
/// value. Beyond it, nothing fits.
const MAX_PAIRS: usize = 1_000_000;
const PAIRS_FOR_EACH: usize = 16;

/// The strictness of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum How {
    /// Objects have only members that are declared, unless others are asked for.
    Closed,
    /// Objects may have other members where nothing is said of them.
    Open,
    /// As closed, but of the members only those count that list their values, such as a tag.
    Outside,
    /// Objects may have other members even where there are none.
    Loose,
}

/// Checks the values of one JSON text. Results are stored by value and form, so that each pair is checked
/// once.
pub(super) struct Fits<'p> {
    forms: &'p Forms,
    nodes: &'p Nodes<'p>,
    found: HashMap<(FormId, NodeId, How), bool>,
}

impl<'p> Fits<'p> {
    pub(super) fn new(forms: &'p Forms, nodes: &'p Nodes<'p>) -> Self {
        Self {
            forms,
            nodes,
            found: HashMap::new(),
        }
    }

    /// Returns true if the limit of comparisons was reached.
    pub(super) fn is_over(&self) -> bool {
        self.found.len() >= MAX_PAIRS + PAIRS_FOR_EACH * self.nodes.count()
    }

    pub(super) fn check(&mut self, form: FormId, node: NodeId, how: How) -> bool {
        self.at(form, node, how, 0)
    }

    fn at(&mut self, form: FormId, node: NodeId, how: How, depth: usize) -> bool {
        if form == ANY {
            return true;
        }
        let found = (form, node, how);
        if let Some(&fits) = self.found.get(&found) {
            return fits;
        }
        if depth > MAX_DEPTH || self.is_over() {
            return false;
        }
        // A form that needs itself to hold of the same value does not.
        self.found.insert(found, false);
        let forms = self.forms;
        let fits = self.holds(forms.get(form), node, how, depth + 1);
        self.found.insert(found, fits);
        fits
    }

    fn holds(&mut self, form: &Form, node: NodeId, how: How, depth: usize) -> bool {
        let nodes = self.nodes;
        let value = nodes.get(node);
        if form.types & types_of(value.text) == 0
            || !is_listed(form, value.text)
            || !is_in_range(form, value.text)
        {
            return false;
        }
        let inside = match &value.content {
            Content::Nothing => true,
            Content::Object(parts) => self.members(form, parts, how, depth),
            Content::List(items) => self.items(form, items, how, depth),
        };
        inside
            && form.reference.as_ref().is_none_or(|reference| {
                let target = self.forms.target(reference);
                self.at(target, node, how, depth)
            })
            && form
                .all_of
                .iter()
                .all(|&one| self.at(one, node, how, depth))
            && form.any_of.iter().all(|group| {
                let mut group = group.iter();
                group.any(|&one| self.at(one, node, how, depth))
            })
    }

    fn members(&mut self, form: &Form, parts: &Parts<'_>, how: How, depth: usize) -> bool {
        let is_there = |name: &String| parts.get(name).is_some();
        if form.required.len() > parts.all.len() || !form.required.iter().all(is_there) {
            return false;
        }
        let is_closed = matches!(how, How::Closed | How::Outside);
        let nodes = self.nodes;
        // A tag says sooner than a list what does not fit.
        for is_early in [true, false] {
            for (key, node) in &parts.all {
                let is_scalar = matches!(nodes.get(*node).content, Content::Nothing);
                if is_scalar != is_early {
                    continue;
                }
                let Some(member) = form.member(key, is_closed) else {
                    if how == How::Loose {
                        continue;
                    }
                    return false;
                };
                let is_passed_over = how == How::Outside && self.forms.get(member).values.is_none();
                if !is_passed_over && !self.at(member, *node, how, depth) {
                    return false;
                }
            }
        }
        true
    }

    fn items(&mut self, form: &Form, items: &[NodeId], how: How, depth: usize) -> bool {
        if how == How::Outside {
            return true;
        }
        let count = items.len() as u64;
        let [least, most] = form.limits.items;
        if least.is_some_and(|least| count < least) || most.is_some_and(|most| count > most) {
            return false;
        }
        items.iter().enumerate().all(|(index, &item)| {
            let place = form.places.get(index).copied().unwrap_or(form.items);
            self.at(place, item, how, depth)
        })
    }
}

fn types_of(text: &str) -> u8 {
    match text.as_bytes().first() {
        Some(b'n') => NULL,
        Some(b't' | b'f') => BOOLEAN,
        Some(b'"') => STRING,
        Some(b'{') => OBJECT,
        Some(b'[') => ARRAY,
        _ if text
            .parse::<f64>()
            .is_ok_and(|number| number.fract() == 0.0) =>
        {
            INTEGER
        }
        _ => FRACTION,
    }
}

fn is_listed(form: &Form, text: &str) -> bool {
    let Some(values) = &form.values else {
        return true;
    };
    let Ok(value) = Json::parse(text) else {
        return false;
    };
    values.binary_search(&canonical(&value)).is_ok()
}

fn is_in_range(form: &Form, text: &str) -> bool {
    match text.as_bytes().first() {
        Some(b'-' | b'0'..=b'9') => {
            let [least, most, above, below] =
                form.limits.number.map(|bits| bits.map(f64::from_bits));
            let Ok(number) = text.parse::<f64>() else {
                return false;
            };
            least.is_none_or(|least| number >= least)
                && most.is_none_or(|most| number <= most)
                && above.is_none_or(|limit| number > limit)
                && below.is_none_or(|limit| number < limit)
        }
        Some(b'"') => {
            let [least, most] = form.limits.chars;
            if least.is_none() && most.is_none() {
                return true;
            }
            let chars = serde_json::from_str::<String>(text);
            let chars = chars.map_or(0, |text| text.chars().count() as u64);
            least.is_none_or(|least| chars >= least) && most.is_none_or(|most| chars <= most)
        }
        _ => true,
    }
}
