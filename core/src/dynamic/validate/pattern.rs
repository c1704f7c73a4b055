//! The patterns of a schema, matched with bounded work.
//!
//! A backtracking engine counts how often it went back, not what it did in between, so its limit
//! bounds nothing. Here each pattern says before it runs how many steps it takes at most, and a check
//! allows so many in all ([`work`]).

mod backtrack;
mod keyword;
mod names;
mod program;
mod rewrite;
mod simulate;
mod work;

#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};

pub(super) use keyword::{Patterns, failed};
pub(super) use names::Names;
use program::Program;
use rewrite::Role;
pub(super) use work::{Exceeded, bounded};

/// The greatest size of a compiled pattern in bytes.
const MAX_PATTERN_BYTES: usize = 1 << 20;
/// The number of states of a pattern that count as one for the engine without look-around, which visits several at
/// once.
const STATES_AT_ONCE: usize = 16;

/// A compiled pattern in the syntax of JSON Schema (ECMA-262).
#[derive(Debug)]
pub(super) struct Pattern {
    /// The pattern as it was written.
    pub(super) text: String,
    engine: Engine,
    program: Program,
}

#[derive(Debug)]
enum Engine {
    /// Neither look-around nor a reference to a group.
    Plain(regex::Regex),
    /// Look-around: every state is followed at once, and each look-around is evaluated once.
    Simulated,
    /// A reference to a group: one way after the other, with a limit.
    Backtracking,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    ///
    /// When it is no regular expression, or too large a one.
    pub(super) fn new(text: &str) -> Result<Self, String> {
        let (rewritten, roles) = rewrite::rewrite(text);
        let invalid = || "it is no regular expression".to_owned();
        let translated = jsonschema_regex::to_rust_regex(&rewritten).map_err(|()| invalid())?;
        let hir = regex_syntax::parse(&translated).map_err(|_| invalid())?;
        let has_reference = roles.iter().any(|role| matches!(role, Role::Reference(_)));
        let is_plain = roles.iter().all(|role| matches!(role, Role::Group(_)));
        let program = Program::new(&hir, &roles, has_reference)?;
        let engine = if has_reference {
            Engine::Backtracking
        } else if is_plain {
            let regex = regex::RegexBuilder::new(&translated)
                .size_limit(MAX_PATTERN_BYTES)
                .build();
            Engine::Plain(regex.map_err(|_| program::TOO_LARGE.to_owned())?)
        } else {
            Engine::Simulated
        };
        Ok(Self {
            text: text.to_owned(),
            engine,
            program,
        })
    }

    /// Returns true if a text matches somewhere. A text that would take more steps than the check has left is not
    /// matched.
    ///
    /// # Errors
    ///
    /// When too few steps are left.
    pub(super) fn is_match(&self, text: &str) -> Result<bool, Exceeded> {
        match &self.engine {
            Engine::Plain(regex) => {
                work::spend(self.cost(text.len()))?;
                // The engine has patterns at which it panics; the simulation follows them all.
                let found = catch_unwind(AssertUnwindSafe(|| regex.is_match(text)));
                Ok(found.unwrap_or_else(|_| self.simulated(text)))
            }
            Engine::Simulated => {
                work::spend(self.cost(text.chars().count()))?;
                Ok(self.simulated(text))
            }
            Engine::Backtracking => {
                work::spend(text.len())?;
                let chars: Vec<char> = text.chars().collect();
                let (found, steps) = backtrack::is_match(&self.program, &chars);
                work::spend(steps)?;
                found.ok_or_else(work::exceed)
            }
        }
    }

    fn simulated(&self, text: &str) -> bool {
        let chars: Vec<char> = text.chars().collect();
        let (found, _) = simulate::is_match(&self.program, &chars);
        found
    }

    /// Returns the greatest number of steps for a text of so many characters.
    fn cost(&self, length: usize) -> usize {
        let states = match self.engine {
            Engine::Plain(_) => 1 + self.program.states / STATES_AT_ONCE,
            Engine::Simulated | Engine::Backtracking => self.program.states,
        };
        states.saturating_mul(length.saturating_add(1))
    }

    fn is_plain(&self) -> bool {
        matches!(self.engine, Engine::Plain(_))
    }
}
