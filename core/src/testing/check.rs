//! The rules for tools that nothing but a run of the program can see.

use std::fmt;

use crate::{Toolset, arguments::shown};

/// Checks what the compiler cannot: that every example and default of the tools is a value that a call may
/// send.
///
/// What is written out, or is a constant, is checked while the program is compiled. This looks at the rest:
/// a default that a function makes or that comes from `Default`, an example that a `pattern` or the decoder
/// of a type decides, and whatever is inside of lists and nested types. A default is seen if its type is
/// `serde::Serialize`. Tools whose schema is no type of this program, such as those of
/// [`DynamicTool`](crate::DynamicTool), are checked where they are built.
///
/// ```
/// use toolwright::{Toolset, testing};
///
/// # fn tools() -> Toolset { Toolset::default() }
/// // In a test of the program:
/// testing::check(&tools())?;
/// # Ok::<(), testing::CheckError>(())
/// ```
///
/// # Errors
///
/// One that lists every violation, when there is any.
pub fn check(tools: &Toolset) -> Result<(), CheckError> {
    let mut violations = Vec::new();
    for definition in tools.definitions() {
        let schema = &definition.input_schema;
        let defect = schema.defect().map(str::to_owned);
        let shown = schema.tree().map(shown::mistakes).unwrap_or_default();
        violations.extend(defect.into_iter().chain(shown).map(|message| Violation {
            tool: definition.name.to_string(),
            message,
        }));
    }
    if violations.is_empty() {
        return Ok(());
    }
    Err(CheckError { violations })
}

/// Tools break rules. It lists every rule that is broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckError {
    violations: Vec<Violation>,
}

/// A broken rule of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The name of the tool.
    pub tool: String,
    /// The place, and what is wrong there.
    pub message: String,
}

impl CheckError {
    /// Everything that is wrong, in the order of the tools.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the tools break rules:")?;
        for Violation { tool, message } in &self.violations {
            write!(f, "\n  `{tool}`: {message}")?;
        }
        Ok(())
    }
}

impl std::error::Error for CheckError {}
