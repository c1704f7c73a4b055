//! Facts about a type for the compile-time checks: a few numbers, and steps into it.

use super::{flat::Flat, keys::Clash, strict::StrictFacts};
use crate::schema::{
    Constraint, Form, Keys, Kind, Node, Paths, Steps, constraint,
    each::{any, each},
    untagged::Entries,
};

/// The description of a type.
///
/// Users need not write it: [`ToolInput`](crate::schema::ToolInput) by hand names the description of
/// another type.
pub trait Describe {
    /// The numbers that the checks read.
    const FACTS: TypeFacts;

    /// The first steps of `PATHS`.
    const STEPS: Steps = Steps::NONE;

    /// The ways to the places that the checks show.
    const PATHS: Paths = Paths {
        deepest: Self::STEPS.deepest.as_ref(),
        objects: Self::STEPS.objects.as_ref(),
        open: Self::STEPS.open.as_ref(),
        foreign: Self::STEPS.foreign.as_ref(),
    };

    /// The keys that it has as an object.
    const KEYS: Keys = Keys::NONE;

    /// The keys that it has as an object, with what is known of their values. `None` if it is none, or
    /// other types are flattened into it.
    const ENTRIES: Option<Entries> = None;

    /// True if a field of it may be missing, as far as is known when the program is compiled.
    const MAY_BE_LEFT_OUT: bool = false;

    /// The node.
    fn node() -> &'static Node;
}

/// A description that ends: its type does not contain itself. The checks of a tool read this from constants, which in a
/// generic function only `cargo build` evaluates; `cargo check` reads a bound.
pub trait Ends: Describe {}

/// Facts about a type that are known when the program is compiled.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct TypeFacts {
    /// The number of levels of objects, and of lists directly inside lists.
    pub(crate) depth: u16,
    /// True if the fuel ran out: the type contains itself.
    pub(crate) exhausted: bool,
    /// True if it is a list or a map, so that one directly around it adds a level.
    list: bool,
    /// True if serde writes a value in another form than it reads. The schema describes reading only, and does not
    /// show the difference.
    pub(crate) written_otherwise: bool,
    /// The error of a type that is flattened into one with type parameters.
    pub(crate) clash: Option<Clash>,
    /// The form, which determines the constraints that the type can have.
    pub(crate) form: Form,
    /// True if `null` is one of its values.
    pub(crate) takes_null: bool,
    /// The facts about the items of a list, or the values of a map.
    pub(crate) item: Option<Item>,
    /// True if a value of it, or one inside it, is checked when a call arrives.
    pub(crate) is_constrained: bool,
    /// True if a value of it, or one inside it, may have keys that no type knows: in a map, or where any value is
    /// allowed. Duplicates of such keys are found only by a check of the text.
    allows_unknown_keys: bool,
    /// The constraints of the type itself.
    pub(crate) kept: &'static [Constraint],
    /// The numbers that count for a strict provider.
    pub(crate) told: StrictFacts,
    /// The place of the type in a form for people.
    pub(crate) flat: Flat,
}

/// Facts about the items of a list, or the values of a map, that the checks of examples and of enums without a tag
/// need.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Item {
    pub(crate) form: Form,
    pub(crate) takes_null: bool,
    pub(crate) kept: &'static [Constraint],
}

impl Item {
    /// Returns what is known of an item with these facts.
    pub(crate) const fn of(facts: TypeFacts) -> Self {
        Self {
            form: facts.form,
            takes_null: facts.takes_null,
            kept: facts.kept,
        }
    }
}

/// A step on the way into a type.
#[derive(Debug, Clone, Copy)]
pub struct Path {
    /// The target of the step.
    pub place: Place,
    /// The name of the type that is left; empty for a list or a map.
    pub owner: &'static str,
    /// The way from there.
    pub next: Option<&'static Path>,
}

impl Path {
    /// A step out of a type, and the way from there.
    pub(crate) const fn new(
        owner: &'static str,
        place: Place,
        next: Option<&'static Self>,
    ) -> Self {
        Self { place, owner, next }
    }
}

/// The target of a step.
#[derive(Debug, Clone, Copy)]
pub enum Place {
    /// A field of this name.
    Field(&'static str),
    /// The items of a list.
    Item,
    /// The values of a map.
    Value,
    /// The same place of the JSON text: a step into a flattened type, or a variant without a tag.
    Here,
    /// A field of a variant with this tag.
    FieldOf(&'static str, &'static str),
    /// An item of a variant with this tag.
    ItemOf(&'static str),
}

impl TypeFacts {
    /// A value without parts.
    pub const SCALAR: Self = Self {
        depth: 0,
        exhausted: false,
        list: false,
        written_otherwise: false,
        clash: None,
        form: Form::Other,
        takes_null: false,
        item: None,
        is_constrained: false,
        allows_unknown_keys: false,
        kept: &[],
        told: StrictFacts::SCALAR,
        flat: Flat::Field,
    };

    pub(crate) const EXHAUSTED: Self = Self {
        exhausted: true,
        flat: Flat::No,
        ..Self::SCALAR
    };

    /// A value of this kind, without parts.
    pub(crate) const fn of(kind: Kind) -> Self {
        let told = match kind {
            Kind::Any => StrictFacts::ANY,
            _ => StrictFacts::SCALAR,
        };
        Self {
            told,
            flat: Flat::of(kind),
            allows_unknown_keys: matches!(kind, Kind::Any),
            takes_null: matches!(kind, Kind::Any | Kind::Null),
            ..Self::SCALAR.with_form(Form::of(kind))
        }
    }

    /// A type that is not known further, of so many levels.
    #[cfg(feature = "schemars")]
    pub(crate) const fn levels(depth: u16) -> Self {
        Self {
            depth,
            told: StrictFacts::FOREIGN,
            flat: Flat::No,
            allows_unknown_keys: true,
            ..Self::SCALAR
        }
    }

    /// A list of, or a map to, what `item` describes. It is a level only directly around another
    /// list or map.
    pub const fn list(item: Self) -> Self {
        Self {
            depth: item.depth + item.list as u16,
            list: true,
            form: Form::List,
            takes_null: false,
            item: Some(Item::of(item)),
            kept: &[],
            told: item.told.listed(),
            flat: Flat::list(item.form, item.takes_null),
            ..item
        }
    }

    /// The fields of an object that stand among those of another.
    pub const fn flattened(inner: Self) -> Self {
        Self {
            // A map is no level by itself.
            depth: if inner.list {
                inner.depth
            } else {
                inner.depth.saturating_sub(1)
            },
            list: false,
            told: inner.told.flattened(matches!(inner.form, Form::Map)),
            flat: inner.flat.flattened(),
            ..inner
        }
    }

    /// A list with an item of each of these.
    pub const fn tuple(items: &[Self]) -> Self {
        let mut depth = 0;
        each!(item in items => {
            let list = Self::list(*item);
            if list.depth > depth {
                depth = list.depth;
            }
        });
        Self {
            depth,
            list: true,
            form: Form::Tuple,
            told: StrictFacts::object(items),
            ..Self::any_of(items)
        }
    }

    /// One of these, without a level of its own.
    pub const fn any_of(variants: &[Self]) -> Self {
        let mut facts = Self {
            told: StrictFacts::any_of(variants),
            flat: Flat::No,
            ..Self::SCALAR
        };
        each!(variant in variants => {
            if variant.depth > facts.depth {
                facts.depth = variant.depth;
            }
            facts.exhausted |= variant.exhausted;
            facts.list |= variant.list;
            facts.written_otherwise |= variant.written_otherwise;
            facts.is_constrained |= variant.is_constrained;
            facts.allows_unknown_keys |= variant.allows_unknown_keys;
            facts = facts.with_clash(variant.clash);
        });
        facts
    }

    /// Returns the facts of a type with type parameters: none of them may be constrained, because without
    /// a tag the type alone decides.
    pub const fn any_unconstrained(variants: &[Self]) -> Self {
        let facts = Self::any_of(variants);
        if facts.is_constrained {
            facts.with_clash(Some(Clash::Constrained))
        } else {
            facts
        }
    }

    /// An object of these fields.
    pub const fn object(fields: &[Self]) -> Self {
        let inner = if fields.is_empty() {
            0
        } else {
            fields[Self::worst(fields)].depth
        };
        Self {
            depth: inner + 1,
            list: false,
            form: Form::Object,
            told: StrictFacts::object(fields),
            flat: if any!(fields, |field| !matches!(field.flat, Flat::Field)) {
                Flat::No
            } else {
                Flat::Fields
            },
            ..Self::any_of(fields)
        }
    }

    /// A map to what `value` describes.
    pub(crate) const fn map(value: Self) -> Self {
        Self {
            told: value.told.paired(),
            flat: Flat::No,
            allows_unknown_keys: true,
            ..Self::list(value).with_form(Form::Map)
        }
    }

    /// A field of a variant whose fields stand in an object of their own.
    pub const fn field_of(inner: Self) -> Self {
        Self {
            told: inner.told.inside(),
            ..inner
        }
    }

    /// Returns the facts of a variant of an enum without a tag: no object is around it.
    pub const fn of_variant(self) -> Self {
        Self {
            told: self.told.of_variant(),
            ..self
        }
    }

    /// Returns the facts with the name of the type to which free keys belong.
    pub const fn owned_by(self, owner: &'static str) -> Self {
        Self {
            told: self.told.owned_by(owner),
            ..self
        }
    }

    /// The place of the field that decides: one that never ends, else the deepest.
    ///
    /// # Panics
    ///
    /// When there is no field.
    pub const fn worst(fields: &[Self]) -> usize {
        assert!(!fields.is_empty(), "an object without fields has no path");
        let mut worst = 0;
        let mut index = 1;
        while index < fields.len() {
            let (field, best) = (fields[index], fields[worst]);
            if (field.exhausted && !best.exhausted)
                || (field.exhausted == best.exhausted && field.depth > best.depth)
            {
                worst = index;
            }
            index += 1;
        }
        worst
    }

    /// Returns the facts of a type that flattens another one.
    pub const fn with_clash(self, clash: Option<Clash>) -> Self {
        Self {
            clash: if self.clash.is_some() {
                self.clash
            } else {
                clash
            },
            ..self
        }
    }

    /// Returns the facts of a type that serde writes in another form than it reads.
    pub const fn written_otherwise(self) -> Self {
        Self {
            written_otherwise: true,
            ..self
        }
    }

    /// A field that serde writes only at times, and reads without it if it may be left out.
    pub const fn skipped_at_times(field: Self, may_be_left_out: bool) -> Self {
        if may_be_left_out {
            field
        } else {
            field.written_otherwise()
        }
    }

    /// This or `null`.
    pub(crate) const fn or_null(self) -> Self {
        Self {
            takes_null: true,
            flat: self.flat.or_null(),
            ..self
        }
    }

    /// One of several texts: these, and those that are read like them.
    pub const fn choice(names: &'static [&'static str]) -> Self {
        Self::SCALAR.with_form(Form::Choice(names))
    }

    /// Returns the facts with another form.
    pub(crate) const fn with_form(self, form: Form) -> Self {
        Self { form, ..self }
    }

    /// Returns the facts under constraints.
    pub(crate) const fn constrained(self, constraints: &'static [Constraint]) -> Self {
        Self {
            form: constraint::narrowed(self.form, constraints),
            is_constrained: self.is_constrained || constraint::any_enforced(constraints),
            kept: constraints,
            ..self
        }
    }

    /// Returns true if a value of it, or one inside it, is checked when a call arrives.
    pub const fn is_constrained(self) -> bool {
        self.is_constrained
    }

    /// Returns the facts of a type whose calls are also checked because of another type.
    pub(crate) const fn looked_at_with(self, other: Self) -> Self {
        Self {
            is_constrained: self.is_constrained || other.is_constrained,
            allows_unknown_keys: self.allows_unknown_keys || other.allows_unknown_keys,
            ..self
        }
    }

    /// Returns true if a value of it, or one inside it, may have keys that no type knows.
    pub const fn allows_unknown_keys(self) -> bool {
        self.allows_unknown_keys
    }

    /// Returns true if a path leads on into this.
    pub const fn has_inside(self) -> bool {
        self.exhausted || self.depth > 0
    }
}
#[cfg(test)]
mod tests {
    use super::{Flat, TypeFacts};
    use crate::schema::Kind;

    #[test]
    fn a_form_is_an_object_of_simple_values() {
        let scalar = TypeFacts::of(Kind::String);
        let choice = TypeFacts::choice(&["a", "b"]);
        let object = TypeFacts::object(&[scalar, choice, TypeFacts::list(choice)]);
        for (facts, expected) in [
            (scalar.or_null(), Flat::Field),
            (TypeFacts::list(scalar), Flat::No),
            (TypeFacts::list(choice), Flat::Field),
            (TypeFacts::list(choice.or_null()), Flat::No),
            (TypeFacts::map(choice), Flat::No),
            (TypeFacts::tuple(&[scalar]), Flat::No),
            (TypeFacts::of(Kind::Any), Flat::No),
            (TypeFacts::of(Kind::Null), Flat::Fields),
            (object, Flat::Fields),
            (object.or_null(), Flat::No),
            (TypeFacts::object(&[object]), Flat::No),
            (
                TypeFacts::object(&[TypeFacts::flattened(object)]),
                Flat::Fields,
            ),
            (TypeFacts::any_of(&[object]), Flat::No),
        ] {
            assert_eq!(facts.flat, expected, "{facts:?}");
        }
    }

    #[test]
    fn levels_are_objects_and_lists_directly_inside_lists() {
        const SCALAR: TypeFacts = TypeFacts::SCALAR;
        const EMPTY: TypeFacts = TypeFacts::object(&[]);
        let list_of_objects = TypeFacts::list(TypeFacts::object(&[SCALAR]));
        for (facts, depth) in [
            (SCALAR, 0),
            (EMPTY, 1),
            (TypeFacts::list(SCALAR), 0),
            (TypeFacts::list(TypeFacts::list(SCALAR)), 1),
            (TypeFacts::list(TypeFacts::list(EMPTY)), 2),
            (list_of_objects, 1),
            (TypeFacts::object(&[SCALAR, list_of_objects, SCALAR]), 2),
            (TypeFacts::object(&[TypeFacts::list(SCALAR)]), 1),
            (
                TypeFacts::object(&[TypeFacts::list(TypeFacts::list(SCALAR))]),
                2,
            ),
        ] {
            assert_eq!(facts.depth, depth);
        }
    }

    #[test]
    fn a_field_that_never_ends_decides() {
        let deep = TypeFacts::object(&[TypeFacts::object(&[])]);
        let fields = [deep, TypeFacts::EXHAUSTED, deep];
        assert_eq!(TypeFacts::worst(&fields), 1);
        assert!(TypeFacts::object(&fields).exhausted);
        assert!(TypeFacts::list(TypeFacts::EXHAUSTED).exhausted);
    }
}
