//! The mistakes in the arguments of one call, a few of them.

use super::fault::Fault;

/// The number of mistakes that are reported at once.
const TOLD: usize = 4;

/// The first mistakes, and whether there are others.
#[derive(Debug, Default)]
pub(crate) struct Mistakes {
    pub(crate) faults: Vec<Fault>,
    has_more: bool,
}

impl Mistakes {
    /// Adds a mistake, which is made only if it is told.
    pub(crate) fn add(&mut self, fault: impl FnOnce() -> Fault) {
        if self.is_full() {
            self.has_more = true;
        } else {
            self.faults.push(fault());
        }
    }

    /// Adds mistakes that have been found in their order.
    pub(crate) fn extend(&mut self, faults: impl IntoIterator<Item = Fault>) {
        for fault in faults {
            self.add(|| fault);
        }
    }

    fn is_full(&self) -> bool {
        self.faults.len() >= TOLD
    }

    /// Returns true if there are known to be more mistakes than are reported, so that no further search is needed.
    pub(crate) fn overflows(&self) -> bool {
        self.has_more
    }

    /// Says which text came to those that are about the whole.
    pub(crate) fn with_text(mut self, text: &str) -> Self {
        let faults = self.faults.into_iter();
        self.faults = faults.map(|fault| fault.with_text(text)).collect();
        self
    }

    /// The texts for the model.
    pub(crate) fn messages(&self) -> impl Iterator<Item = String> {
        let more = self.has_more.then(|| "and more".to_owned());
        self.faults.iter().map(Fault::message).chain(more)
    }
}
