//! Findings: unusual properties of a foreign definition, which are no errors.

use std::fmt;

use crate::{
    schema::{MAX_DESCRIPTION_CHARS, MIN_DESCRIPTION_CHARS},
    tool::ToolDefinition,
};

/// Why a pattern is not checked.
pub(super) const NO_PATTERN: &str = "has look-around or a reference to a group, is too large, or is not a valid \
                                     regular expression";

/// An unusual property of a foreign definition, which is not an error. The tool works; a person may want to
/// know.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// Not every provider accepts the name, so the model sees another one.
    Renamed {
        /// The name that the model sees.
        shown: String,
    },
    /// There is no description, so the model knows only the name.
    NoDescription,
    /// The description is shorter than that of a declared tool may be.
    ShortDescription {
        /// The number of characters in the description.
        chars: usize,
    },
    /// The description is longer than that of a declared tool may be.
    LongDescription {
        /// The number of characters.
        chars: usize,
    },
    /// A key of an open object is required and described nowhere, so that the model has only its name to
    /// go by. Of one definition the first hundred are listed.
    Undescribed {
        /// The object: `arguments.range`.
        path: String,
        /// The key, or its start.
        name: String,
    },
    /// Strings are not checked against a pattern: only an engine whose work has no bound could match it. All else of the
    /// schema is checked. Of one definition the first hundred are listed. Found only with the feature `jsonschema`.
    UncheckedPattern {
        /// The value: `arguments.name`.
        path: String,
        /// The pattern, or its start.
        pattern: String,
    },
    /// Arguments are not checked against the schema, only for being an object without duplicate keys: it is not valid,
    /// it depends on a pattern that is not checked, or the check would take too long or depend on what is not known.
    /// Found only with the feature `jsonschema`, without which nothing is checked so.
    Unchecked {
        /// The reason why they are not checked.
        reason: String,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Renamed { shown } => write!(f, "the model sees the name `{shown}`"),
            Self::NoDescription => f.write_str("there is no description"),
            Self::ShortDescription { chars } => write!(
                f,
                "the description has {chars} characters, less than {MIN_DESCRIPTION_CHARS}"
            ),
            Self::LongDescription { chars } => write!(
                f,
                "the description has {chars} characters, more than {MAX_DESCRIPTION_CHARS}"
            ),
            Self::Undescribed { path, name } => write!(
                f,
                "{path}: `{name}` is required but not declared in `properties`"
            ),
            Self::UncheckedPattern { path, pattern } => {
                write!(
                    f,
                    "{path}: the pattern `{pattern}` is not checked: it {NO_PATTERN}"
                )
            }
            Self::Unchecked { reason } => {
                write!(f, "arguments are not checked against the schema: {reason}")
            }
        }
    }
}

/// Returns the findings about the texts of a definition.
pub(super) fn of_texts(definition: &ToolDefinition, shown: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    if definition.name != shown {
        findings.push(Finding::Renamed {
            shown: shown.to_owned(),
        });
    }
    match definition.description.trim().chars().count() {
        0 => findings.push(Finding::NoDescription),
        chars if chars < MIN_DESCRIPTION_CHARS => {
            findings.push(Finding::ShortDescription { chars });
        }
        chars if chars > MAX_DESCRIPTION_CHARS => {
            findings.push(Finding::LongDescription { chars });
        }
        _ => {}
    }
    findings
}
