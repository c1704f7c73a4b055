//! Violations: the errors of a definition, all at once.

use std::fmt;

/// The greatest number of violations that are reported in full; the rest is counted.
const MAX_TOLD: usize = 50;

/// A definition breaks rules. It lists every one that is broken, each with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinitionError {
    tool: String,
    violations: Vec<Violation>,
    untold: usize,
}

/// One broken rule.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The place: `name`, `description`, `arguments.range.start`, or `#/$defs/range` for a place in
    /// the schema that has no place in the arguments.
    pub path: String,
    /// The error there, and the correction.
    pub message: String,
}

impl DefinitionError {
    /// An error without violations, to add them to.
    pub(super) fn of(tool: &str) -> Self {
        Self {
            tool: tool.to_owned(),
            violations: Vec::new(),
            untold: 0,
        }
    }

    pub(super) fn add(&mut self, path: impl fmt::Display, message: impl Into<String>) {
        if self.violations.len() >= MAX_TOLD {
            self.untold += 1;
            return;
        }
        self.violations.push(Violation {
            path: path.to_string(),
            message: message.into(),
        });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.violations.is_empty()
    }

    /// The error, if anything is wrong.
    pub(super) fn into_result(self) -> Result<(), Self> {
        if self.is_empty() { Ok(()) } else { Err(self) }
    }

    /// The name of the tool, as it was given.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// Returns the violations, at most 50.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Returns the number of violations beyond these.
    pub fn untold(&self) -> usize {
        self.untold
    }
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tool: String = self.tool.chars().take(2 * super::name::MAX_CHARS).collect();
        write!(f, "the definition of the tool `{tool}` breaks the rules")?;
        for violation in &self.violations {
            write!(f, "\n  {violation}")?;
        }
        match self.untold {
            0 => Ok(()),
            untold => write!(f, "\n  and {untold} more"),
        }
    }
}

impl std::error::Error for DefinitionError {}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// What is wrong with a definition.
pub(super) type Violations = DefinitionError;
