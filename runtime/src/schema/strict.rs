//! The rules that a tool asks for with `strict` and `max_depth`, checked while the program is
//! compiled.
//!
//! A strict provider is told a map as pairs and a tuple as an object, so that both are one more
//! object there. What it cannot be told at all is refused here: known keys beside unknown ones, a
//! schema that is not known yet, and too much of anything.

use super::{
    Facts, Path,
    check::{MAX_DEPTH, check_arguments_within, check_parameter_within},
    message::Message,
};

/// What a strict provider is told of a type, in numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Told {
    /// How many objects stand inside each other.
    objects: u16,
    /// How many properties there are, each as often as it is told.
    properties: usize,
    /// The type that takes any keys beside its own; its name is empty until it is known.
    open: Option<&'static str>,
    /// Whether schemars describes it, or a part of it.
    is_foreign: bool,
}

impl Told {
    pub(super) const SCALAR: Self = Self {
        objects: 0,
        properties: 0,
        open: None,
        is_foreign: false,
    };

    #[cfg(feature = "schemars")]
    pub(super) const FOREIGN: Self = Self {
        is_foreign: true,
        ..Self::SCALAR
    };

    /// One of these.
    pub(super) const fn any_of(parts: &[Facts]) -> Self {
        let mut all = Self::SCALAR;
        let mut index = 0;
        while index < parts.len() {
            let part = parts[index].told;
            if part.objects > all.objects {
                all.objects = part.objects;
            }
            all.properties = all.properties.saturating_add(part.properties);
            if all.open.is_none() {
                all.open = part.open;
            }
            all.is_foreign |= part.is_foreign;
            index += 1;
        }
        all
    }

    /// An object of these.
    pub(super) const fn object(fields: &[Facts]) -> Self {
        let all = Self::any_of(fields);
        Self {
            properties: all.properties.saturating_add(fields.len()),
            ..all.inside()
        }
    }

    /// The same, in one object more.
    pub(super) const fn inside(self) -> Self {
        Self {
            objects: self.objects.saturating_add(1),
            ..self
        }
    }

    /// A list of pairs with it.
    pub(super) const fn paired(self) -> Self {
        Self {
            properties: self.properties.saturating_add(2),
            ..self.inside()
        }
    }

    /// Its keys, among those of another.
    pub(super) const fn flattened(self, is_map: bool) -> Self {
        Self {
            objects: self.objects.saturating_sub(1),
            // It is counted as a field.
            properties: self.properties.saturating_sub(1),
            open: match self.open {
                None if is_map => Some(""),
                open => open,
            },
            ..self
        }
    }

    /// Names what takes any keys, if that has no name yet.
    pub(super) const fn owned_by(self, owner: &'static str) -> Self {
        Self {
            open: match self.open {
                Some(known) if known.is_empty() => Some(owner),
                open => open,
            },
            ..self
        }
    }
}

/// What a tool asks for beyond the rules for all.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// The value of `strict`; empty for none.
    profile: &'static str,
    /// How many levels there may be.
    max_depth: u16,
    /// How many objects may stand inside each other.
    max_objects: u16,
    /// How many properties there may be in all.
    max_properties: usize,
}

impl Rules {
    /// Those for all tools.
    pub const NONE: Self = Self {
        profile: "",
        max_depth: MAX_DEPTH,
        max_objects: u16::MAX,
        max_properties: usize::MAX,
    };

    /// Those of `strict = "openai"`. It takes 10 levels and does not say whether the first counts.
    pub const OPENAI: Self = Self {
        profile: "openai",
        max_objects: 9,
        max_properties: 5_000,
        ..Self::NONE
    };

    /// Those of `strict = "anthropic"`.
    pub const ANTHROPIC: Self = Self {
        profile: "anthropic",
        ..Self::NONE
    };

    /// Those of `strict = "portable"`.
    pub const PORTABLE: Self = Self {
        profile: "portable",
        max_objects: 5,
        ..Self::NONE
    };

    /// The same, with the value of `max_depth`.
    pub const fn within(self, max_depth: u16) -> Self {
        Self { max_depth, ..self }
    }

    /// Checks the type of a parameter.
    #[track_caller]
    pub(crate) const fn check_parameter(self, name: &str, facts: Facts, path: Option<&Path>) {
        check_parameter_within(name, facts, path, self.max_depth);
        self.check_told(name, facts.told);
    }

    /// Checks the type of an arguments object.
    #[track_caller]
    pub(crate) const fn check_arguments(self, facts: Facts, path: Option<&Path>) {
        check_arguments_within(facts, path, self.max_depth);
    }

    /// Checks the type of a field of an arguments object. What is wrong with the object was said.
    #[track_caller]
    pub(crate) const fn check_field(self, name: &str, facts: Facts) {
        let levels = facts.depth.saturating_add(1);
        if !facts.exhausted && facts.clash.is_none() && levels <= self.max_depth {
            self.check_told(name, facts.told);
        }
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
    const fn check_told(self, name: &str, told: Told) {
        if self.profile.is_empty() {
            return;
        }
        let message = Message::new().text("`strict = \"").text(self.profile);
        if let Some(owner) = told.open {
            let message = message
                .text("\"` takes no object with keys that are not declared, and in `arguments.")
                .text(name)
                .text("` there is one: `")
                .text(owner)
                .text("` flattens a map. Make the map a field of its own, or remove `strict`");
            panic!("{}", message.as_str());
        }
        if told.is_foreign {
            let message = message
                .text("\"` needs a schema that is known when this is compiled, and that of `arguments.")
                .text(name)
                .text("` is not, because of `#[tool(schemars)]`: take a type that derives `ToolInput`, or remove `strict`");
            panic!("{}", message.as_str());
        }
        let objects = told.objects as usize + 1;
        if objects > self.max_objects as usize {
            let message = message
                .text("\"` takes ")
                .number(self.max_objects as usize)
                .text(" objects inside each other, a map or tuple is one too, and `arguments.")
                .text(name)
                .text("` makes it ")
                .number(objects)
                .text(": flatten the type, or remove `strict`");
            panic!("{}", message.as_str());
        }
    }
}

/// How many properties these have, and what is inside them.
pub(crate) const fn count_properties(fields: &[Facts]) -> usize {
    Told::object(fields).properties
}

#[cfg(test)]
mod tests {
    use super::{Facts, count_properties};

    const SCALAR: Facts = Facts::SCALAR;

    #[test]
    fn maps_and_tuples_are_objects() {
        let object = Facts::object(&[SCALAR]);
        for (facts, objects) in [
            (SCALAR, 0),
            (object, 1),
            (Facts::list(Facts::list(object)), 1),
            (Facts::map(SCALAR), 1),
            (Facts::map(Facts::map(object)), 3),
            (Facts::tuple(&[SCALAR, object]), 2),
            (Facts::object(&[Facts::field_of(object)]), 3),
            (Facts::any_of(&[SCALAR, object]), 1),
            (Facts::object(&[Facts::flattened(object)]), 1),
        ] {
            assert_eq!(facts.told.objects, objects);
        }
    }

    #[test]
    fn properties_are_counted_wherever_they_are_told() {
        let object = Facts::object(&[SCALAR, SCALAR]);
        assert_eq!(count_properties(&[]), 0);
        assert_eq!(count_properties(&[SCALAR, object, object]), 7);
        assert_eq!(count_properties(&[Facts::flattened(object), SCALAR]), 3);
        assert_eq!(count_properties(&[Facts::map(SCALAR)]), 3);
    }

    #[test]
    fn a_flattened_map_has_the_name_of_what_it_is_in() {
        let rest = Facts::object(&[SCALAR, Facts::flattened(Facts::map(SCALAR))]);
        let named = rest.owned_by("Filter");
        assert_eq!(named.told.open, Some("Filter"));
        assert_eq!(
            Facts::list(named).owned_by("Outer").told.open,
            Some("Filter")
        );
        assert_eq!(Facts::object(&[Facts::map(SCALAR)]).told.open, None);
    }
}
