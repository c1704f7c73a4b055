//! The definitions of all the tools that a model is offered.

use std::{any::Any, fmt, ops::Deref, sync::Arc};

use crate::mutex::Mutex;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::ToolDefinition;

/// The definitions of the tools that a model is offered, in order.
///
/// Cheap to clone. The form for a provider is rendered once and cached: every request of a
/// `Runner` holds the same bytes, which providers cache by.
#[derive(Clone, Default)]
pub struct ToolDefinitions(Arc<Inner>);

#[derive(Default)]
struct Inner {
    list: Vec<ToolDefinition>,
    /// The values that were made from the definitions for a provider, by the name of their form.
    prepared: Mutex<Vec<(&'static str, Arc<dyn Any + Send + Sync>)>>,
}

impl ToolDefinitions {
    /// Gives what is made of the definitions under this name. It is made when it is first asked for, and kept:
    /// a codec renders the tools of a runner once.
    pub fn prepared<T: Any + Send + Sync>(
        &self,
        form: &'static str,
        prepare: impl FnOnce(&[ToolDefinition]) -> T,
    ) -> Arc<T> {
        // A panic in `prepare` leaves the list as it was.
        let mut all = self.0.prepared.lock();
        let known = all
            .iter()
            .find(|(name, made)| *name == form && made.is::<T>());
        if let Some(Ok(made)) = known.map(|(_, made)| Arc::clone(made).downcast()) {
            return made;
        }
        let made = Arc::new(prepare(&self.0.list));
        all.push((form, made.clone()));
        made
    }
}

impl Deref for ToolDefinitions {
    type Target = [ToolDefinition];

    fn deref(&self) -> &[ToolDefinition] {
        &self.0.list
    }
}

impl From<Vec<ToolDefinition>> for ToolDefinitions {
    fn from(list: Vec<ToolDefinition>) -> Self {
        Self(Arc::new(Inner {
            list,
            prepared: Mutex::default(),
        }))
    }
}

impl FromIterator<ToolDefinition> for ToolDefinitions {
    fn from_iter<I: IntoIterator<Item = ToolDefinition>>(definitions: I) -> Self {
        Vec::from_iter(definitions).into()
    }
}

impl<'a> IntoIterator for &'a ToolDefinitions {
    type Item = &'a ToolDefinition;
    type IntoIter = std::slice::Iter<'a, ToolDefinition>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for ToolDefinitions {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || **self == **other
    }
}

impl Eq for ToolDefinitions {}

impl fmt::Debug for ToolDefinitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl Serialize for ToolDefinitions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ToolDefinitions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{ToolDefinition, ToolDefinitions};
    use crate::Schema;

    #[test]
    fn a_form_is_made_once() {
        let schema = Schema::from_text(r#"{"type":"object"}"#).expect("it is JSON");
        let ping = ToolDefinition::new("ping", "Answers with pong.", schema);
        let all = ToolDefinitions::from_iter([ping]);
        let text = |list: &[ToolDefinition]| list.len().to_string();
        let first = all.prepared("a", text);
        let second = all
            .clone()
            .prepared("a", |_| -> String { panic!("it is there") });
        assert!(Arc::ptr_eq(&first, &second));
        let other = all.prepared("b", text);
        assert!(!Arc::ptr_eq(&first, &other));
    }
}
