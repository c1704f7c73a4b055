//! The values that an application puts in for tools.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    sync::Arc,
};

use crate::tool::ExtensionType;

/// The values that an application puts in for tools, each under its type. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Extensions(
    /// Each is a value of its type.
    Arc<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
);

impl Extensions {
    /// Adds a value. One of the same type is replaced.
    pub fn insert<T: Any + Send + Sync>(&mut self, value: T) {
        let value = Arc::new(value);
        Arc::make_mut(&mut self.0).insert(TypeId::of::<T>(), value);
    }

    /// Returns the value of a type.
    pub fn get<T: Any + Send + Sync>(&self) -> Option<&T> {
        let value = self.0.get(&TypeId::of::<T>())?;
        value.downcast_ref()
    }

    /// Returns true if there is a value of the type.
    pub fn has(&self, of: ExtensionType) -> bool {
        self.0.contains_key(&of.id())
    }

    /// Returns true if there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds the values of types that have none yet.
    pub(super) fn add_missing(&mut self, others: &Self) {
        if self.0.is_empty() {
            self.0 = Arc::clone(&others.0);
        } else if !others.0.is_empty() {
            let all = Arc::make_mut(&mut self.0);
            for (id, value) in &*others.0 {
                all.entry(*id).or_insert_with(|| Arc::clone(value));
            }
        }
    }
}
