//! The rules that a tool asks for with `strict` and `max_depth`, checked while the program is
//! compiled.
//!
//! A strict provider gets a map as pairs and a tuple as an object, so that both are one more
//! object there, and a map with known keys as a member of pairs. What has no such form at all is
//! refused here: values of any kind under keys that are not declared, a schema that is not known
//! yet, names it does not take, and too much of anything.

use super::{
    check::{MAX_DEPTH, Whole, check_arguments_within, check_parameter_within},
    keys::equal,
    message::Message,
};
use crate::schema::{
    Keys, Paths, TypeFacts,
    each::{any, each},
};

/// Numbers about the form of a type that a strict provider receives.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct StrictFacts {
    /// The number of objects inside each other.
    pub(crate) objects: u16,
    /// The number of properties, each counted as often as it occurs in the schema.
    properties: usize,
    /// The type that accepts unknown keys with any values; its name is empty until it is known.
    pub(crate) open: Option<&'static str>,
    /// True if it is any value.
    is_any: bool,
    /// True if it is a map to any values.
    is_any_map: bool,
    /// True if schemars describes it, or a part of it.
    pub(crate) is_foreign: bool,
    /// True if it is a variant of an enum without a tag, known by one of its parts.
    pub(crate) is_variant: bool,
}

impl StrictFacts {
    pub(crate) const SCALAR: Self = Self {
        objects: 0,
        properties: 0,
        open: None,
        is_any: false,
        is_any_map: false,
        is_foreign: false,
        is_variant: false,
    };

    /// Any value.
    pub(crate) const ANY: Self = Self {
        is_any: true,
        ..Self::SCALAR
    };

    #[cfg(feature = "schemars")]
    pub(crate) const FOREIGN: Self = Self {
        is_foreign: true,
        ..Self::SCALAR
    };

    /// One of these.
    pub(crate) const fn any_of(parts: &[TypeFacts]) -> Self {
        let mut all = Self::SCALAR;
        each!(part in parts => {
            let part = part.told;
            if part.objects > all.objects {
                all.objects = part.objects;
            }
            all.properties = all.properties.saturating_add(part.properties);
            if all.open.is_none() {
                all.open = part.open;
            }
            all.is_foreign |= part.is_foreign;
        });
        all
    }

    /// An object of these.
    pub(crate) const fn object(fields: &[TypeFacts]) -> Self {
        let all = Self::any_of(fields);
        Self {
            properties: all.properties.saturating_add(fields.len()),
            ..all.inside()
        }
    }

    /// Returns the facts of a variant of an enum without a tag.
    pub(crate) const fn of_variant(self) -> Self {
        Self {
            is_variant: true,
            ..self
        }
    }

    /// Returns the facts inside one more object.
    pub(crate) const fn inside(self) -> Self {
        Self {
            objects: self.objects.saturating_add(1),
            ..self
        }
    }

    /// A list of it.
    pub(crate) const fn listed(self) -> Self {
        Self {
            is_any: false,
            is_any_map: false,
            ..self
        }
    }

    /// A list of pairs with it.
    pub(crate) const fn paired(self) -> Self {
        Self {
            properties: self.properties.saturating_add(2),
            is_any_map: self.is_any,
            is_any: false,
            ..self.inside()
        }
    }

    /// Its keys, among those of another.
    pub(crate) const fn flattened(self, is_map: bool) -> Self {
        if is_map {
            // It stays a list of pairs, in a member for all keys that are not declared. The schema
            // of an object that is only open says the same as a map to any values.
            return Self {
                open: match self.open {
                    None if self.is_any_map => Some(""),
                    open => open,
                },
                ..self.listed()
            };
        }
        Self {
            objects: self.objects.saturating_sub(1),
            // It is counted as a field.
            properties: self.properties.saturating_sub(1),
            ..self
        }
    }

    /// Names what takes any keys, if that has no name yet.
    pub(crate) const fn owned_by(self, owner: &'static str) -> Self {
        Self {
            open: match self.open {
                Some(known) if known.is_empty() => Some(owner),
                open => open,
            },
            ..self
        }
    }
}

/// Rules of a tool beyond those for all tools.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// The value of `strict`; empty for none.
    profile: &'static str,
    /// The greatest number of levels.
    max_depth: u16,
    /// The greatest number of objects inside each other.
    max_objects: u16,
    /// The greatest number of properties in all.
    max_properties: usize,
}

impl Rules {
    /// The rules for all tools.
    pub const NONE: Self = Self {
        profile: "",
        max_depth: MAX_DEPTH,
        max_objects: u16::MAX,
        max_properties: usize::MAX,
    };

    /// The rules of `strict = "openai"`. It takes 10 levels and does not say whether the first counts.
    pub const OPENAI: Self = Self {
        profile: "openai",
        max_objects: 9,
        max_properties: 5_000,
        ..Self::NONE
    };

    /// The rules of `strict = "anthropic"`.
    pub const ANTHROPIC: Self = Self {
        profile: "anthropic",
        ..Self::NONE
    };

    /// The rules of `strict = "portable"`.
    pub const PORTABLE: Self = Self {
        profile: "portable",
        max_objects: 5,
        ..Self::NONE
    };

    /// Returns the rules with the value of `max_depth`.
    pub const fn within(self, max_depth: u16) -> Self {
        Self { max_depth, ..self }
    }

    /// Checks the type of a parameter.
    #[track_caller]
    pub(crate) const fn check_parameter(self, name: &str, facts: TypeFacts, paths: Paths) {
        check_parameter_within(name, facts, paths.deepest, self.max_depth);
        self.check_told(name, facts.told, paths);
    }

    /// Checks the type of an arguments object.
    #[track_caller]
    pub(crate) const fn check_arguments(self, facts: TypeFacts, paths: Paths) {
        check_arguments_within(facts, paths.deepest, self.max_depth);
    }

    /// Checks the type of a field of an arguments object, or without a name one that is flattened
    /// into it. The mistake of the object was reported.
    #[track_caller]
    pub(crate) const fn check_field(self, name: &str, facts: TypeFacts, paths: Paths) {
        let levels = facts.depth.saturating_add(1);
        if !facts.exhausted && facts.clash.is_none() && levels <= self.max_depth {
            self.check_told(name, facts.told, paths);
        }
    }

    /// Checks the names of a type that is flattened into the arguments object.
    #[track_caller]
    pub(crate) const fn check_names(self, keys: Keys) {
        let (more, allowed): (&[u8], _) = if equal(self.profile, "anthropic") {
            (b"_.-", "letters of ASCII, digits, `_`, `.` and `-`")
        } else if equal(self.profile, "portable") {
            (
                b"_",
                "letters of ASCII, digits and `_`, with no digit at the start",
            )
        } else {
            return;
        };
        each!(name in keys.sent => {
            if !is_taken(name.as_bytes(), more) {
                let message = Message::new()
                    .text("`strict = \"")
                    .text(self.profile)
                    .text("\"` takes names of 1 to 64 ")
                    .text(allowed)
                    .text(": rename `arguments.")
                    .text(name)
                    .text("` in the type that is flattened here, or remove `strict`");
                panic!("{}", message.as_str());
            }
        });
        each!(inner in keys.flattened => {
            self.check_names(*inner);
        });
    }

    /// Checks how many properties there are.
    #[track_caller]
    pub(crate) const fn check_properties(self, count: usize) {
        if count > self.max_properties {
            let message = Message::new()
                .text("the arguments have ")
                .number(count)
                .text(" properties, each type counted wherever it is used, and `strict = \"")
                .text(self.profile)
                .text("\"` takes ")
                .number(self.max_properties)
                .text(": split the tool, or remove `strict`");
            panic!("{}", message.as_str());
        }
    }

    #[track_caller]
    const fn check_told(self, name: &str, told: StrictFacts, paths: Paths) {
        if self.profile.is_empty() {
            return;
        }
        let message = Message::new().text("`strict = \"").text(self.profile);
        if let Some(owner) = told.open {
            let message = message
                .text("\"` takes no values of any type under keys that are not declared, and in `")
                .path(Whole::Parameter(name), paths.open, usize::MAX)
                .text("` there are such: `")
                .text(owner)
                .text("` flattens a map of them. Make the map a field of its own, give its values a type, or remove `strict`");
            panic!("{}", message.as_str());
        }
        if told.is_foreign {
            let message = message
                .text("\"` needs a schema that is known when this is compiled, and that of `")
                .path(Whole::Parameter(name), paths.foreign, usize::MAX)
                .text("` is not, because of `#[tool(schemars)]`: take a type that derives `ToolInput`, or remove `strict`");
            panic!("{}", message.as_str());
        }
        let objects = told.objects as usize + 1;
        if objects > self.max_objects as usize {
            let message = message
                .text("\"` takes ")
                .number(self.max_objects as usize)
                .text(" objects inside each other, a map or tuple is one too, and there are ")
                .number(objects)
                .text(": `")
                .path(Whole::Parameter(name), paths.objects, usize::MAX)
                .text("` is the innermost; flatten the types on the way, or remove `strict`");
            panic!("{}", message.as_str());
        }
    }
}

/// Returns true if a name has 1 to 64 letters, digits and these bytes. If `_` is the only one of these bytes, the
/// name must not begin with a digit.
const fn is_taken(name: &[u8], more: &[u8]) -> bool {
    let is_short = !name.is_empty() && name.len() <= 64;
    is_short
        && (more.len() > 1 || !name[0].is_ascii_digit())
        && !any!(name, |byte| !byte.is_ascii_alphanumeric()
            && !any!(more, |other| *other == *byte))
}

/// Returns the number of properties of these fields, with those inside them.
pub(crate) const fn count_properties(fields: &[TypeFacts]) -> usize {
    StrictFacts::object(fields).properties
}

#[cfg(test)]
mod tests {
    use super::{TypeFacts, count_properties, is_taken};
    use crate::schema::Kind;

    const SCALAR: TypeFacts = TypeFacts::SCALAR;

    #[test]
    fn maps_and_tuples_are_objects() {
        let object = TypeFacts::object(&[SCALAR]);
        for (facts, objects) in [
            (SCALAR, 0),
            (object, 1),
            (TypeFacts::list(TypeFacts::list(object)), 1),
            (TypeFacts::map(SCALAR), 1),
            (TypeFacts::map(TypeFacts::map(object)), 3),
            (TypeFacts::tuple(&[SCALAR, object]), 2),
            (TypeFacts::object(&[TypeFacts::field_of(object)]), 3),
            (TypeFacts::any_of(&[SCALAR, object]), 1),
            (TypeFacts::object(&[TypeFacts::flattened(object)]), 1),
        ] {
            assert_eq!(facts.told.objects, objects);
        }
    }

    #[test]
    fn properties_are_counted_wherever_they_are_told() {
        let object = TypeFacts::object(&[SCALAR, SCALAR]);
        assert_eq!(count_properties(&[]), 0);
        assert_eq!(count_properties(&[SCALAR, object, object]), 7);
        assert_eq!(count_properties(&[TypeFacts::flattened(object), SCALAR]), 3);
        assert_eq!(count_properties(&[TypeFacts::map(SCALAR)]), 3);
        // The member that holds its pairs.
        assert_eq!(
            count_properties(&[TypeFacts::flattened(TypeFacts::map(SCALAR))]),
            3
        );
    }

    #[test]
    fn a_flattened_map_of_anything_has_the_name_of_what_it_is_in() {
        let any = TypeFacts::of(Kind::Any);
        let rest =
            |values| TypeFacts::object(&[SCALAR, TypeFacts::flattened(TypeFacts::map(values))]);
        for values in [SCALAR, TypeFacts::list(any), TypeFacts::map(any)] {
            assert_eq!(rest(values).owned_by("Filter").told.open, None);
        }
        let rest = rest(any);
        let named = rest.owned_by("Filter");
        assert_eq!(named.told.open, Some("Filter"));
        assert_eq!(
            TypeFacts::list(named).owned_by("Outer").told.open,
            Some("Filter")
        );
        assert_eq!(TypeFacts::object(&[TypeFacts::map(any)]).told.open, None);
    }

    #[test]
    fn names_are_those_that_providers_take() {
        for (name, anthropic, portable) in [
            ("max_height", true, true),
            ("max-height", true, false),
            ("2d", true, false),
            ("größe", false, false),
            ("", false, false),
        ] {
            assert_eq!(is_taken(name.as_bytes(), b"_.-"), anthropic, "{name}");
            assert_eq!(is_taken(name.as_bytes(), b"_"), portable, "{name}");
        }
        assert!(is_taken(&[b'a'; 64], b"_") && !is_taken(&[b'a'; 65], b"_"));
    }
}
