//! JSON texts, one after the other.

/// Texts that are kept in one, since there may be one for each event of a stream.
#[derive(Debug, Default)]
pub(super) struct Texts {
    all: String,
    /// Where each of them ends.
    ends: Vec<usize>,
}

impl Texts {
    pub(super) fn push(&mut self, text: &str) {
        self.all.push_str(text);
        self.ends.push(self.all.len());
    }

    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.ends.clear();
    }

    pub(super) fn last(&self) -> Option<&str> {
        let (_, before) = self.ends.split_last()?;
        Some(&self.all[before.last().copied().unwrap_or(0)..])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts
            .zip(&self.ends)
            .map(|(&start, &end)| &self.all[start..end])
    }
}
