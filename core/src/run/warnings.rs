//! The warnings of a run.

use std::{collections::HashSet, fmt};

use crate::model::Warning;

/// The warnings of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Warnings {
    all: Vec<Warning>,
    /// Those that are given once.
    once: HashSet<Warning>,
}

impl Warnings {
    /// Adds a warning of the run.
    pub(super) fn add(&mut self, code: &str, why: &dyn fmt::Display) {
        self.all.push(Warning::new(code, why.to_string()));
    }

    /// Adds a warning that is given once.
    pub(super) fn add_once(&mut self, warning: &Warning) {
        if !self.once.contains(warning) {
            self.once.insert(warning.clone());
            self.all.push(warning.clone());
        }
    }

    pub(super) fn all(&self) -> &[Warning] {
        &self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_of_responses_is_given_once() {
        let mut warnings = Warnings::default();
        for _ in 0..2 {
            warnings.add("run", &"again");
            warnings.add_once(&Warning::new("response", "once"));
        }
        let codes: Vec<_> = warnings.all().iter().map(|one| &*one.code).collect();
        assert_eq!(codes, ["run", "response", "run"]);
    }
}
