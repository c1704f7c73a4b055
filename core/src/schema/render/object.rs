//! Objects: known keys, those of flattened types, and the rest.

use super::Writer;
use crate::schema::{Members, Node};

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
        self.member("type", r#""object""#);
        if tag.is_some() || !members.properties.is_empty() || members.rest.is_none() {
            self.member("properties", "{");
            if let Some(tag) = tag {
                self.member(tag.key, "");
                self.constant(tag.name);
            }
            for property in members.properties.iter() {
                self.member(property.name, "");
                self.node((property.node)(), property.description);
            }
            self.text.push('}');
        }
        let required = members.properties.iter();
        let required = required.filter(|property| property.is_required());
        let required = required.map(|property| property.name);
        self.required(tag.map(|tag| tag.key).into_iter().chain(required));
        if let Some(value) = members.rest {
            self.member("additionalProperties", "");
            self.node(value(), "");
        } else if members.closed {
            self.closed();
        }
    }

    pub(super) fn required(&mut self, names: impl Iterator<Item = &'static str>) {
        let mut names = names.peekable();
        if names.peek().is_none() {
            return;
        }
        self.member("required", "[");
        for name in names {
            self.separate();
            self.string(name);
        }
        self.text.push(']');
    }

    pub(super) fn closed(&mut self) {
        self.member("additionalProperties", "false");
    }

    pub(super) fn constant(&mut self, name: &str) {
        self.text.push('{');
        self.text_member("const", name);
        self.text.push('}');
    }
}
