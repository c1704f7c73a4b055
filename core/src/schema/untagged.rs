//! Variants of an enum without a tag that can never be chosen: serde takes the first that fits.
//!
//! What cannot be known from the facts of two types, such as whether one list of lists takes the other, is
//! passed over: each of these functions says no where it does not know.

use super::{
    Constraint, Form, TypeFacts,
    each::{any, each},
};
use crate::schema::const_check::{
    facts::Item,
    keys::{contains, equal},
    message::Message,
};

/// A variant, as far as its check asks.
#[derive(Debug, Clone, Copy)]
pub struct Untagged {
    /// The name.
    pub name: &'static str,
    /// The data of the variant.
    pub content: UntaggedContent,
}

/// The data of a variant.
#[derive(Debug, Clone, Copy)]
#[expect(
    clippy::large_enum_variant,
    reason = "constants hold it, and a constant cannot hold a box"
)]
pub enum UntaggedContent {
    /// Nothing is known of it.
    Unknown,
    /// A value of a type.
    Value {
        /// The type as it is written.
        written: &'static str,
        /// The facts about the type.
        facts: TypeFacts,
        /// The keys that it has, if it is an object.
        entries: Option<Entries>,
    },
    /// A list of a value of each of these.
    Tuple(&'static [TypeFacts]),
    /// Named fields.
    Object(Entries),
}

/// The keys of an object, without those of flattened types.
#[derive(Debug, Clone, Copy)]
pub struct Entries {
    /// The keys.
    pub all: &'static [Entry],
    /// True if other keys are refused.
    pub closed: bool,
}

/// A key of an object.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The key.
    pub name: &'static str,
    /// Other keys that are read too.
    pub aliases: &'static [&'static str],
    /// The type of the value as it is written, where only types of the same place are compared.
    pub written: &'static str,
    /// The facts about the value.
    pub facts: TypeFacts,
    /// True if it is known that it may be missing.
    pub may_be_left_out: bool,
}

/// Checks the variant at a place, at its name.
///
/// # Panics
///
/// When a variant before it takes all that it does.
#[track_caller]
pub const fn check_chosen(variants: &[Untagged], place: usize) {
    let later = variants[place];
    each!(earlier in variants.split_at(place).0 => {
        if takes(&earlier.content, &later.content) {
            let message = Message::new()
                .text("`")
                .text(later.name)
                .text("` is never chosen: an `untagged` enum takes the first variant that fits, and `")
                .text(earlier.name)
                .text("` takes all that `")
                .text(later.name)
                .text("` does. ");
            let message = if takes(&later.content, &earlier.content) {
                message.text("Remove one of them, or `untagged`")
            } else {
                message.text("Put it before that one, or remove `untagged`")
            };
            panic!("{}", message.as_str());
        }
    });
}

/// Returns true if a content takes every value that another one does.
const fn takes(earlier: &UntaggedContent, later: &UntaggedContent) -> bool {
    use UntaggedContent::{Object, Tuple, Unknown, Value};

    match (*earlier, *later) {
        (Unknown, _)
        | (_, Unknown)
        | (Tuple(_), Value { .. } | Object(_))
        | (Object(_), Tuple(_)) => false,
        (Value { facts, .. }, _) if takes_any(facts) => true,
        (
            Value {
                written,
                facts,
                entries,
            },
            Value {
                written: other_written,
                facts: other,
                entries: other_entries,
            },
        ) => {
            let is_object = both(entries, other_entries)
                || (takes_any_object(facts) && other_entries.is_some());
            equal(written, other_written)
                || fits(facts, other)
                || (is_object && takes_null_of(facts, other))
        }
        (Value { facts, entries, .. }, Object(other)) => {
            takes_any_object(facts) || both(entries, Some(other))
        }
        (Value { facts, .. }, Tuple(others)) => takes_list_of(facts, others),
        (Object(entries), Object(other)) => is_part(entries, other),
        (
            Object(entries),
            Value {
                facts,
                entries: other,
                ..
            },
        ) => !facts.takes_null && both(Some(entries), other),
        (Tuple(items), Tuple(others)) => all_fit(items, others),
    }
}

const fn takes_any(facts: TypeFacts) -> bool {
    matches!(facts.form, Form::Any) && !facts.is_constrained
}

/// Returns true if it is a map to any value.
const fn takes_any_object(facts: TypeFacts) -> bool {
    matches!(facts.form, Form::Map) && has_any_items(facts) && !facts.is_constrained
}

const fn has_any_items(facts: TypeFacts) -> bool {
    matches!(facts.item, Some(item) if matches!(item.form, Form::Any))
}

const fn takes_null_of(earlier: TypeFacts, later: TypeFacts) -> bool {
    earlier.takes_null || !later.takes_null
}

const fn both(earlier: Option<Entries>, later: Option<Entries>) -> bool {
    match (earlier, later) {
        (Some(earlier), Some(later)) => is_part(earlier, later),
        _ => false,
    }
}

/// Returns true if an object takes every object with the declared keys of another one.
const fn is_part(earlier: Entries, later: Entries) -> bool {
    each!(entry in earlier.all => {
        let fits = match named(later.all, entry) {
            Some(other) => {
                let is_same = !entry.written.is_empty() && equal(entry.written, other.written);
                let may_be_missing = entry.may_be_left_out || is_always_there(other);
                (is_same || fits(entry.facts, other.facts)) && may_be_missing
            }
            // A key that the other does not declare is not sent for it.
            None => entry.may_be_left_out,
        };
        if !fits {
            return false;
        }
    });
    !earlier.closed || (later.closed && knows_all(earlier.all, later.all))
}

/// The entry of the first that has the key of this one.
const fn named<'a>(all: &'a [Entry], entry: &Entry) -> Option<&'a Entry> {
    each!(other in all => {
        if is_called(entry, other.name) {
            return Some(other);
        }
    });
    None
}

const fn is_called(entry: &Entry, name: &str) -> bool {
    equal(entry.name, name) || contains(entry.aliases, name)
}

const fn is_always_there(entry: &Entry) -> bool {
    !entry.may_be_left_out && !entry.facts.takes_null && !matches!(entry.facts.form, Form::Other)
}

/// Returns true if each key of the second is one of the first.
const fn knows_all(known: &[Entry], others: &[Entry]) -> bool {
    !any!(others, |other| !any!(known, |entry| is_called(
        entry, other.name
    )))
}

const fn all_fit(items: &[TypeFacts], others: &[TypeFacts]) -> bool {
    let (mut items, mut others) = (items, others);
    while let ([item, after @ ..], [other, rest @ ..]) = (items, others)
        && fits(*item, *other)
    {
        (items, others) = (after, rest);
    }
    items.is_empty() && others.is_empty()
}

/// Returns true if a list takes one with these items.
const fn takes_list_of(facts: TypeFacts, items: &[TypeFacts]) -> bool {
    let fits_length = match facts.form {
        Form::List | Form::Set => true,
        Form::Array(length) => length == items.len(),
        _ => false,
    };
    let (true, Some(item)) = (fits_length && !facts.is_constrained, facts.item) else {
        return false;
    };
    !any!(items, |one| !item_fits(item, Item::of(*one)))
}

/// Returns true if a type takes all values of another one.
const fn fits(earlier: TypeFacts, later: TypeFacts) -> bool {
    let is_known = !earlier.is_constrained && !earlier.exhausted && !later.exhausted;
    if !is_known || !takes_null_of(earlier, later) || excludes(earlier.kept) {
        return false;
    }
    // What is `null` alone has been compared by now.
    if matches!(later.form, Form::Null) || form_fits(earlier.form, later.form) {
        return true;
    }
    let is_longer = match (earlier.form, later.form) {
        (Form::List | Form::Set, Form::List | Form::Set | Form::Array(_))
        | (Form::Map, Form::Map) => true,
        (Form::Array(length), Form::Array(other)) => length == other,
        // What the values of a tuple are is not known, so that nothing but any value takes them.
        (Form::List | Form::Set, Form::Tuple) => return has_any_items(earlier),
        _ => false,
    };
    match (earlier.item, later.item) {
        (Some(earlier), Some(later)) => is_longer && item_fits(earlier, later),
        _ => false,
    }
}

const fn item_fits(earlier: Item, later: Item) -> bool {
    (earlier.takes_null || !later.takes_null)
        && !excludes(earlier.kept)
        && form_fits(earlier.form, later.form)
}

/// Returns true if constraints exclude a value of the form.
const fn excludes(kept: &[Constraint]) -> bool {
    any!(kept, |one| !matches!(one, Constraint::Example(_)))
}

/// Returns true if every value of the later form, without parts, is one of the earlier form too.
const fn form_fits(earlier: Form, later: Form) -> bool {
    match (earlier, later) {
        (Form::Any, _)
        | (Form::Number { .. }, Form::Number { .. } | Form::Integer { .. })
        | (Form::Text, Form::Text | Form::Character | Form::Choice(_) | Form::Spelled(Some(_)))
        | (Form::Character, Form::Character)
        | (Form::Boolean, Form::Boolean)
        | (Form::Null, Form::Null) => true,
        (
            Form::Integer { minimum, maximum },
            Form::Integer {
                minimum: least,
                maximum: greatest,
            },
        ) => minimum <= least && maximum >= greatest,
        (Form::Choice(names), Form::Choice(others)) => {
            !any!(others, |other| !contains(names, other))
        }
        (Form::Spelled(Some(format)), Form::Spelled(Some(other))) => {
            equal(format.name(), other.name())
        }
        _ => false,
    }
}
