//! The keys of an object, those of flattened types among them.

use super::{Kind, Link, Node, Property};

/// The keys of an object, in order.
#[derive(Debug, Default)]
pub(crate) struct Members {
    pub(crate) properties: Vec<&'static Property>,
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
                for property in properties {
                    if property.is_flattened {
                        self.add((property.node)());
                    } else {
                        self.properties.push(property);
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

    /// The place of a key among the properties, also under another name.
    pub(crate) fn position(&self, key: &str) -> Option<usize> {
        let mut properties = self.properties.iter();
        properties.position(|property| property.is_called(key))
    }
}
