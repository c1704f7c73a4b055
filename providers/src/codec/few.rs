//! Lists that nearly always hold one thing.

use std::{iter::Chain, option, slice, vec};

/// A list that keeps its first item without an allocation.
#[derive(Debug)]
pub(crate) struct Few<T> {
    pub(super) first: Option<T>,
    others: Vec<T>,
}

impl<T> Few<T> {
    /// Adds an item.
    pub(crate) fn push(&mut self, item: T) {
        match self.first {
            None => self.first = Some(item),
            Some(_) => self.others.push(item),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    pub(crate) fn iter(&self) -> Chain<option::Iter<'_, T>, slice::Iter<'_, T>> {
        self.first.iter().chain(&self.others)
    }
}

impl<T> Default for Few<T> {
    fn default() -> Self {
        Self {
            first: None,
            others: Vec::new(),
        }
    }
}

impl<T> IntoIterator for Few<T> {
    type Item = T;
    type IntoIter = Chain<option::IntoIter<T>, vec::IntoIter<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.first.into_iter().chain(self.others)
    }
}
