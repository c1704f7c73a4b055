//! What a model is told of all the tools on offer.

use std::{
    fmt,
    ops::Deref,
    sync::{Arc, Mutex, PoisonError},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::ToolDefinition;
use crate::json_text::JsonText;

/// What a model is told of the tools, in order.
///
/// Cheap to clone. What a provider is sent is rendered once and kept: every request of a
/// [`Runner`](crate::Runner) holds the same bytes, which providers cache by.
#[derive(Clone, Default)]
pub struct ToolDefinitions(Arc<Inner>);

#[derive(Default)]
struct Inner {
    list: Vec<ToolDefinition>,
    /// By the name of the form.
    rendered: Mutex<Vec<(&'static str, JsonText)>>,
}

impl ToolDefinitions {
    /// The form of this name. It is rendered when it is first asked for.
    pub(crate) fn rendered(
        &self,
        form: &'static str,
        render: impl FnOnce(&[ToolDefinition]) -> JsonText,
    ) -> JsonText {
        // A panic in `render` leaves the list as it was.
        let mut all = self
            .0
            .rendered
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some((_, text)) = all.iter().find(|(name, _)| *name == form) {
            return text.clone();
        }
        let text = render(&self.0.list);
        all.push((form, text.clone()));
        text
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
            rendered: Mutex::default(),
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
    use super::{JsonText, ToolDefinition, ToolDefinitions};
    use crate::Schema;

    #[test]
    fn a_form_is_rendered_once() {
        let schema = Schema::from_text(r#"{"type":"object"}"#).expect("it is JSON");
        let ping = ToolDefinition::new("ping", "Answers with pong.", schema);
        let all = ToolDefinitions::from_iter([ping]);
        let text = || JsonText::new("[1]").expect("it is JSON");
        let first = all.rendered("a", |list| {
            assert_eq!(list.len(), 1);
            text()
        });
        let second = all.clone().rendered("a", |_| panic!("it is there"));
        assert_eq!(first.as_str().as_ptr(), second.as_str().as_ptr());
        let other = all.rendered("b", |_| text());
        assert_ne!(first.as_str().as_ptr(), other.as_str().as_ptr());
    }
}
