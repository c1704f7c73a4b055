//! The keys of an object, those of flattened types among them.

use std::borrow::Cow;

use toolwright_json::string::is_same;

use super::{Kind, Link, Node, Property};

/// The keys of an object, in order.
#[derive(Debug, Default)]
pub(crate) struct Members {
    pub(crate) properties: Cow<'static, [Property]>,
    /// The node of the values of other keys.
    pub(crate) rest: Option<Link>,
    /// True if other keys are refused.
    pub(crate) closed: bool,
}

impl Members {
    /// The members of an object or a map. None for other values.
    pub(crate) fn of(node: &Node) -> Option<Self> {
        let mut members = Self::default();
        members.add(node).then_some(members)
    }

    fn add(&mut self, node: &Node) -> bool {
        match node.kind {
            Kind::Object { properties, closed } => {
                let is_flat = !properties.iter().any(|property| property.is_flattened);
                if is_flat && self.properties.is_empty() {
                    self.properties = Cow::Borrowed(properties);
                } else {
                    for property in properties {
                        if property.is_flattened {
                            self.add((property.node)());
                        } else {
                            self.properties.to_mut().push(*property);
                        }
                    }
                }
                // The type around others decides whether other keys are refused.
                self.closed = closed;
                true
            }
            Kind::Map(value) => {
                self.rest = Some(value);
                true
            }
            Kind::Same { node, .. } | Kind::Constrained { node, .. } => self.add(node()),
            _ => false,
        }
    }

    /// The place of a key among the properties, also under another name. It is probably the `next` one: models write
    /// keys in the order of the schema.
    #[inline]
    pub(crate) fn position(&self, key: &str, next: usize) -> Option<usize> {
        if self
            .properties
            .get(next)
            .is_some_and(|likely| is_same(likely.name, key))
        {
            return Some(next);
        }
        let mut properties = self.properties.iter();
        properties.position(|property| property.is_called(key))
    }
}
