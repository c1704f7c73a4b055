//! The type of a value that an application puts into the context for tools.

use std::{
    any::{TypeId, type_name},
    fmt,
};

/// The type of a value that an application puts into the context for tools.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ExtensionType {
    id: TypeId,
    name: &'static str,
}

impl ExtensionType {
    /// Names a type.
    pub fn of<T: Send + Sync + 'static>() -> Self {
        Self {
            id: TypeId::of::<T>(),
            name: type_name::<T>(),
        }
    }

    /// Returns the name of the type, for people.
    pub fn name(self) -> &'static str {
        self.name
    }

    pub(crate) fn id(self) -> TypeId {
        self.id
    }
}

impl fmt::Debug for ExtensionType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ExtensionType").field(&self.name).finish()
    }
}
