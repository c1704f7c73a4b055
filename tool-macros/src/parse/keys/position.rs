//! Places of keys, and the keys that are known in each.

use crate::suggest::nearest;

/// The place of a set of keys, with the keys that are known there.
#[derive(Clone, Copy)]
pub(in crate::parse) struct Position {
    attribute: &'static str,
    pub(super) what: &'static str,
    pub(super) known: &'static [&'static str],
}

impl Position {
    pub(in crate::parse) const FUNCTION: Self = Self {
        attribute: "#[tool]",
        what: "a function",
        known: &[
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
            "spawn",
            "inline",
            "strict",
            "max_depth",
            "type",
            "crate",
        ],
    };
    pub(in crate::parse) const METHOD: Self = Self {
        attribute: "#[tool]",
        what: "a method",
        known: &[
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
            "spawn",
            "inline",
            "strict",
            "max_depth",
        ],
    };
    pub(in crate::parse) const STRUCT: Self = Self {
        attribute: "#[tool]",
        what: "a struct",
        known: &[
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
            "spawn",
            "inline",
            "strict",
            "max_depth",
            "json_schema",
            "crate",
        ],
    };
    pub(in crate::parse) const BLOCK: Self = Self {
        attribute: "#[tools]",
        what: "an `impl`",
        known: &["fn", "crate"],
    };
    pub(in crate::parse) const PARAMETER: Self = Self {
        attribute: "#[tool]",
        what: "a parameter",
        known: &[
            "description",
            "default",
            "range",
            "length",
            "pattern",
            "format",
            "example",
            "schemars",
        ],
    };
    pub(in crate::parse) const TYPE: Self = Self {
        attribute: "#[tool]",
        what: "a type",
        known: &["json_schema", "crate"],
    };
    pub(in crate::parse) const FIELD: Self = Self {
        attribute: "#[tool]",
        what: "a field",
        known: &[
            "description",
            "range",
            "length",
            "pattern",
            "format",
            "example",
            "schemars",
        ],
    };
    pub(in crate::parse) const VARIANT: Self = Self {
        attribute: "#[tool]",
        what: "a variant",
        known: &[],
    };
}

impl Position {
    pub(super) fn unknown(self, name: &str) -> String {
        if self.what == Self::FIELD.what && name == "default" {
            return "serde decides the default of a field: write `#[serde(default)]`, or \
                    `#[serde(default = \"function\")]`"
                .to_owned();
        }
        if self.known.is_empty() {
            return format!(
                "unknown key `{name}`: `{}` on {} has no keys",
                self.attribute, self.what
            );
        }
        let nearest = nearest(name, self.known);
        let hint = nearest.map_or(":".to_owned(), |near| format!(", did you mean `{near}`?"));
        format!(
            "unknown key `{name}`{hint} `{}` on {} knows `{}`",
            self.attribute,
            self.what,
            self.known.join("`, `")
        )
    }
}
