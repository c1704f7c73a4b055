//! Objects: known keys, those of flattened types, and the rest.

use super::Writer;
use crate::schema::{Members, Node, Property};

/// A key that says which variant of an enum an object is.
#[derive(Clone, Copy)]
pub(super) struct Tag {
    pub(super) key: &'static str,
    pub(super) name: &'static str,
}

impl Writer<'_> {
    /// Writes an object, or a map, without the braces. A node of another kind adds no keys.
    pub(super) fn object(&mut self, tag: Option<Tag>, node: &Node) {
        let members = Members::of(node).unwrap_or_default();
        self.text.push_str(r#""type":"object""#);
        if tag.is_some() || !members.properties.is_empty() || members.rest.is_none() {
            self.text.push_str(r#","properties":{"#);
            if let Some(tag) = tag {
                self.member(tag.key);
                self.constant(tag.name);
            }
            for (index, property) in members.properties.iter().enumerate() {
                self.separate(index + usize::from(tag.is_some()));
                self.member(property.name);
                self.node((property.node)(), property.description);
            }
            self.text.push('}');
        }
        let required = members.properties.iter().copied();
        let required = required.filter(|property| property.is_required());
        self.required(tag.map(|tag| tag.key).into_iter().chain(required.map(name)));
        if let Some(value) = members.rest {
            self.text.push_str(r#","additionalProperties":"#);
            self.node(value(), "");
        } else if members.closed {
            self.closed();
        }
    }

    pub(super) fn required(&mut self, names: impl Iterator<Item = &'static str>) {
        let mut names = names.enumerate().peekable();
        if names.peek().is_none() {
            return;
        }
        self.text.push_str(r#","required":["#);
        for (index, name) in names {
            self.separate(index);
            self.string(name);
        }
        self.text.push(']');
    }

    pub(super) fn closed(&mut self) {
        self.text.push_str(r#","additionalProperties":false"#);
    }

    pub(super) fn constant(&mut self, name: &str) {
        self.text.push_str(r#"{"const":"#);
        self.string(name);
        self.text.push('}');
    }
}

fn name(property: &'static Property) -> &'static str {
    property.name
}
