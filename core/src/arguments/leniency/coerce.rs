//! Values that stand for others: led by the schema, and only where it refuses them.
//!
//! The tree that is walked is the JSON Schema text of the tool's definition, and not the tree of its
//! types: it is there for declared and for foreign tools alike, and it is what the model was sent.
//!
//! A value is changed where the schema refuses it for what it is, and where there is exactly one other
//! value that it stands for and that the schema takes. Keywords that this walk does not know count as
//! kept, so that it takes more than the schema does, and changes less.

mod convert;
mod keeps;
mod one_item;
mod parts;
mod written;

use serde_json::{Map, Value};
use toolwright_json::{
    pairs::{items, pairs},
    part::replaced,
    path::{Step, path_text},
};

use super::changes::Changes;
use crate::tool::{ArgumentChange, ChangeKind};
use keeps::{keeps, types_of};
use parts::{Part, has_own_base, of_every_item, of_item, of_member, parts};
use written::Written;

/// The average number of times that a text may be read. Deep arguments and unions inside each other need more than
/// others.
const READINGS: usize = 64;
const LEAST_READ: usize = 1 << 16;

/// The greatest depth to which schemas are followed.
const MAX_DEPTH: usize = 128;

/// The text to read instead of well-formed arguments, and what was changed; `None` if nothing was. A
/// schema that is too large or too deep to walk by changes nothing.
///
/// The values that start at `respelled`, in order, are not written as they came: how they were written is
/// lost, so that they become no texts.
pub(crate) fn coerce(
    schema: &Value,
    text: &str,
    respelled: &[usize],
) -> Option<(String, Vec<ArgumentChange>)> {
    let mut walk = Walk::new(schema, text, respelled);
    let text = text.trim_ascii();
    let new = walk.value(schema, text, 0).new?;
    (!walk.is_spent).then(|| (new, walk.changes.into_vec()))
}

/// Returns true if a schema takes a value as it is, as far as this walk knows its keywords.
pub(crate) fn takes(schema: &Value, text: &str) -> bool {
    Walk::new(schema, text, &[]).takes(schema, text, 0)
}

struct Walk<'s> {
    /// The schema to which references point.
    root: &'s Value,
    /// The values that are written as they came.
    written: Written<'s>,
    /// The number of bytes that may still be read; beyond, nothing is changed.
    left: usize,
    is_spent: bool,
    /// The way to the value.
    steps: Vec<Step>,
    changes: Changes,
}

/// The result of fitting a value.
#[derive(Debug, Default)]
struct Fit {
    /// The text that stands for it, where it was changed.
    new: Option<String>,
    /// True if the schema takes it now, as far as is known.
    fits: bool,
}

impl Fit {
    fn as_it_is(fits: bool) -> Self {
        Self { new: None, fits }
    }
}

impl<'s> Walk<'s> {
    fn new(root: &'s Value, text: &'s str, respelled: &'s [usize]) -> Self {
        Self {
            root,
            written: Written::new(text, respelled),
            left: READINGS * text.len() + LEAST_READ,
            is_spent: false,
            steps: Vec::new(),
            changes: Changes::default(),
        }
    }

    fn value(&mut self, schema: &'s Value, text: &str, depth: usize) -> Fit {
        let is_root = std::ptr::eq(schema, self.root);
        let schema = match schema {
            Value::Bool(any) => return Fit::as_it_is(*any),
            // Its references mean what is not looked for.
            Value::Object(schema) if !is_root && has_own_base(schema) => {
                return Fit::as_it_is(true);
            }
            Value::Object(schema) => schema,
            _ => return Fit::as_it_is(true),
        };
        if !self.spend(text.len()) || depth > MAX_DEPTH {
            self.is_spent = true;
            return Fit::as_it_is(true);
        }
        let parts = parts(schema, self.root);
        if let [part] = parts.as_slice() {
            return self.part(*part, text, depth + 1);
        }
        let start = self.changes.mark();
        let (mut new, mut fits) = (None, true);
        for part in &parts {
            let now = new.as_deref().unwrap_or(text);
            let fit = self.part(*part, now, depth + 1);
            fits &= fit.fits;
            new = fit.new.or(new);
        }
        // What was changed for one part has to fit the parts before it too.
        if let Some(new) = &new {
            let is_kept = |fit: &Fit| fit.new.is_none() && fit.fits;
            fits = self.tried(|walk| {
                let mut parts = parts.iter();
                parts.all(|part| is_kept(&walk.part(*part, new, depth + 1)))
            });
            if !fits {
                self.changes.go_back_to(start);
                return Fit::default();
            }
        }
        Fit { new, fits }
    }

    fn part(&mut self, part: Part<'s>, text: &str, depth: usize) -> Fit {
        match part {
            Part::Own(schema) => self.own(schema, text, depth),
            Part::Schema(schema) => self.value(schema, text, depth),
            Part::Union(branches) => self.union(branches, text, depth),
        }
    }

    /// The keywords of one schema.
    fn own(&mut self, schema: &'s Map<String, Value>, text: &str, depth: usize) -> Fit {
        match types_of(schema) {
            Some(types) if !types.iter().any(|name| keeps::is_of_type(name, text)) => {
                self.converted(schema, &types, text, depth)
            }
            _ => self.inside(schema, text, depth),
        }
    }

    /// A value of a type that the schema takes.
    fn inside(&mut self, schema: &'s Map<String, Value>, text: &str, depth: usize) -> Fit {
        let mut fit = match text.as_bytes().first() {
            Some(b'{') => self.object(schema, text, depth),
            Some(b'[') => self.list(schema, text, depth),
            _ => Fit::as_it_is(true),
        };
        self.spend(parts::listed(schema));
        fit.fits = fit.fits && keeps(schema, fit.new.as_deref().unwrap_or(text));
        fit
    }

    /// One of several: what one of them takes as it is stays.
    fn union(&mut self, branches: &'s [Value], text: &str, depth: usize) -> Fit {
        let mut meant: Option<(&Value, String)> = None;
        for branch in branches {
            let fit = self.tried(|walk| walk.value(branch, text, depth));
            match (fit.new, &meant) {
                _ if !fit.fits => {}
                (None, _) => return Fit::as_it_is(true),
                (Some(new), None) => meant = Some((branch, new)),
                (Some(new), Some((_, other))) if new == *other => {}
                // Two readings. One that fits as it is may still come.
                (Some(_), Some(_)) => {
                    let rest = branches.iter();
                    return Fit::as_it_is(rest.into_iter().any(|one| self.takes(one, text, depth)));
                }
            }
        }
        match meant {
            // Again, for the record of what is changed.
            Some((branch, _)) => self.value(branch, text, depth),
            None => Fit::default(),
        }
    }

    /// Returns true if a schema takes a value as it is.
    fn takes(&mut self, schema: &'s Value, text: &str, depth: usize) -> bool {
        let fit = self.tried(|walk| walk.value(schema, text, depth));
        fit.fits && fit.new.is_none()
    }

    /// Does something, and forgets what it changed.
    fn tried<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.changes.mark();
        let result = work(self);
        self.changes.go_back_to(mark);
        result
    }

    fn object(&mut self, schema: &'s Map<String, Value>, text: &str, depth: usize) -> Fit {
        let Ok(pairs) = pairs(text) else {
            return Fit::as_it_is(true);
        };
        let mut fits = keeps::has_required(schema, &pairs);
        let mut edits = Vec::new();
        for (key, value) in pairs {
            let Some(of_member) = of_member(schema, &key) else {
                continue;
            };
            self.steps.push(Step::Key(key.into_owned()));
            let fit = self.value(of_member, value, depth);
            self.steps.pop();
            fits &= fit.fits;
            edits.extend(fit.new.map(|new| (value, new)));
        }
        Fit {
            new: edited(text, edits),
            fits,
        }
    }

    fn list(&mut self, schema: &'s Map<String, Value>, text: &str, depth: usize) -> Fit {
        let Ok(all) = items(text) else {
            return Fit::as_it_is(true);
        };
        let mut fits = keeps::has_length(schema, all.len());
        let mut edits = Vec::new();
        let (start, length, mut listed) = (self.changes.mark(), all.len(), false);
        for (index, item) in all.into_iter().enumerate() {
            let Some(of_item) = of_item(schema, index) else {
                continue;
            };
            self.steps.push(Step::Index(index));
            let fit = self.value(of_item, item, depth);
            self.steps.pop();
            fits &= fit.fits;
            listed |= !item.starts_with('[')
                && fit.new.as_deref().is_some_and(|new| new.starts_with('['));
            edits.extend(fit.new.map(|new| (item, new)));
        }
        if listed && length > 1 && self.may_be_item(schema, text, depth) {
            self.changes.go_back_to(start);
            return Fit::default();
        }
        Fit {
            new: edited(text, edits),
            fits,
        }
    }

    /// Returns true if a list could also be the only item of a list of lists, as it is or changed.
    fn may_be_item(&mut self, schema: &'s Map<String, Value>, text: &str, depth: usize) -> bool {
        of_every_item(schema).is_some_and(|of_item| {
            let fit = self.tried(|walk| walk.value(of_item, text, depth));
            fit.fits && keeps::has_length(schema, 1)
        })
    }

    /// Says that so much is read, and whether it may be.
    fn spend(&mut self, bytes: usize) -> bool {
        match self.left.checked_sub(bytes + 1) {
            Some(left) => self.left = left,
            None => self.is_spent = true,
        }
        !self.is_spent
    }

    fn changed(&mut self, kind: ChangeKind) {
        let steps = &self.steps;
        self.changes
            .add(kind, || path_text("arguments", steps.iter()));
    }
}

/// A text with some of its parts replaced.
fn edited(text: &str, edits: Vec<(&str, String)>) -> Option<String> {
    (!edits.is_empty()).then(|| replaced(text, edits))
}

#[cfg(test)]
mod tests;
