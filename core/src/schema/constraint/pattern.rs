//! Regular expressions.

/// A regular expression that matches a part of a text.
#[derive(Clone, Copy)]
pub struct Pattern {
    /// The pattern as it is written, in the syntax of JSON Schema (ECMA-262).
    pub text: &'static str,
    /// The function that matches a string. The expression is compiled at the first call.
    pub is_match: fn(&str) -> bool,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl std::fmt::Debug for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Pattern").field(&self.text).finish()
    }
}

/// Compiles the expression of a pattern.
///
/// # Panics
///
/// When it is not valid, which the macro refuses while the program is compiled.
#[cfg(feature = "regex")]
pub fn compiled(regex: &str) -> regex::Regex {
    regex::Regex::new(regex).expect("the macro has compiled this expression")
}
