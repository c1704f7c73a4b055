//! Where keys stand, and which are known there.

/// Where keys stand, and which are known there.
#[derive(Clone, Copy)]
pub(in crate::parse) struct On {
    attribute: &'static str,
    pub(super) what: &'static str,
    pub(super) known: &'static [&'static str],
}

impl On {
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
        known: &["default", "schemars"],
    };
    pub(in crate::parse) const TYPE: Self = Self {
        attribute: "#[tool]",
        what: "a type",
        known: &["json_schema", "crate"],
    };
    pub(in crate::parse) const FIELD: Self = Self {
        attribute: "#[tool]",
        what: "a field",
        known: &["schemars"],
    };
    pub(in crate::parse) const VARIANT: Self = Self {
        attribute: "#[tool]",
        what: "a variant",
        known: &[],
    };
}

impl On {
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
        let nearest = self.known.iter().find(|known| is_near(name, known));
        let hint = nearest.map_or(":".to_owned(), |near| format!(", did you mean `{near}`?"));
        format!(
            "unknown key `{name}`{hint} `{}` on {} knows `{}`",
            self.attribute,
            self.what,
            self.known.join("`, `")
        )
    }
}

/// Whether at most two characters differ.
fn is_near(a: &str, b: &str) -> bool {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (index, a) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, b) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[b.len()] <= 2
}
