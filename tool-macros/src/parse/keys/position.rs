//! Places of keys, and the keys that are known in each.

use crate::suggest::nearest;

/// The place of a set of keys, with the keys that are known there.
#[derive(Clone, Copy)]
pub(in crate::parse) struct Position {
    attribute: &'static str,
    pub(super) what: &'static str,
    known: &'static [&'static [&'static str]],
}

/// The keys of a tool, on whatever it is.
const TOOL: &[&str] = &[
    "name",
    "description",
    "title",
    "read_only",
    "idempotent",
    "destructive",
    "open_world",
    "timeout",
    "retries",
    "rate_limit",
    "requires",
    "approval",
    "sequential",
    "max_output",
    "polls",
    "ends_run",
    "deferred",
    "spawn",
    "inline",
    "strict",
    "max_depth",
];
/// The keys of a value that a model sends, after its description.
const VALUE: &[&str] = &[
    "range", "length", "pattern", "format", "example", "schemars",
];

impl Position {
    pub(in crate::parse) const FUNCTION: Self = Self {
        attribute: "#[tool]",
        what: "a function",
        known: &[TOOL, &["type", "crate"]],
    };
    pub(in crate::parse) const METHOD: Self = Self {
        attribute: "#[tool]",
        what: "a method",
        known: &[TOOL],
    };
    pub(in crate::parse) const STRUCT: Self = Self {
        attribute: "#[tool]",
        what: "a struct",
        known: &[TOOL, &["external", "json_schema", "crate"]],
    };
    pub(in crate::parse) const BLOCK: Self = Self {
        attribute: "#[tools]",
        what: "an `impl`",
        known: &[&["fn", "crate"]],
    };
    pub(in crate::parse) const PARAMETER: Self = Self {
        attribute: "#[tool]",
        what: "a parameter",
        known: &[&["description", "default"], VALUE],
    };
    pub(in crate::parse) const TYPE: Self = Self {
        attribute: "#[tool]",
        what: "a type",
        known: &[&["json_schema", "crate"]],
    };
    pub(in crate::parse) const FIELD: Self = Self {
        attribute: "#[tool]",
        what: "a field",
        known: &[&["description"], VALUE],
    };
    pub(in crate::parse) const VARIANT: Self = Self {
        attribute: "#[tool]",
        what: "a variant",
        known: &[],
    };
}

impl Position {
    /// The keys that are known there, in the order in which they are told.
    pub(super) fn known(self) -> Vec<&'static str> {
        self.known.concat()
    }

    pub(super) fn unknown(self, name: &str) -> String {
        if self.what == Self::FIELD.what && name == "default" {
            return "serde decides the default of a field: write `#[serde(default)]`, or \
                    `#[serde(default = \"function\")]`"
                .to_owned();
        }
        if ["params", "required"].contains(&name) {
            return format!(
                "unknown key `{name}`: the signature says it. Describe a parameter by a doc comment, write `/// …` above it; \
                 one that may be left out is an `Option`"
            );
        }
        if self.known.is_empty() {
            return format!(
                "unknown key `{name}`: `{}` on {} has no keys",
                self.attribute, self.what
            );
        }
        let nearest = nearest(name, &self.known());
        let hint = nearest.map_or(":".to_owned(), |near| format!(", did you mean `{near}`?"));
        format!(
            "unknown key `{name}`{hint} `{}` on {} knows `{}`",
            self.attribute,
            self.what,
            self.known().join("`, `")
        )
    }
}
