//! Types that occur twice in a tree, and their keys under `$defs`.

use super::identity::same;
use crate::schema::{Kind, Members, Node, Tagging};

/// The types with a name, in the order in which they are met.
#[derive(Default)]
pub(super) struct Shared(Vec<Entry>);

struct Entry {
    node: &'static Node,
    full_name: &'static str,
    key: String,
    /// Used twice, so that it is written in `$defs`.
    shared: bool,
}

impl Shared {
    /// Goes through a tree.
    pub(super) fn of(root: &Node) -> Self {
        let mut shared = Self::default();
        shared.count(root);
        shared
    }

    /// The key of a type that is met twice.
    pub(super) fn key(&self, node: &'static Node) -> Option<&str> {
        let entry = &self.0[self.place(node)?];
        entry.shared.then_some(entry.key.as_str())
    }

    /// Returns true if a key is taken.
    #[cfg(feature = "schemars")]
    pub(super) fn has_key(&self, key: &str) -> bool {
        self.0.iter().any(|entry| entry.shared && entry.key == key)
    }

    /// The types that are met twice.
    pub(super) fn definitions(&self) -> impl Iterator<Item = (&str, &'static Node)> {
        let shared = self.0.iter().filter(|entry| entry.shared);
        shared.map(|entry| (entry.key.as_str(), entry.node))
    }

    /// Enters each named type once, so that shared parts do not multiply.
    fn count(&mut self, node: &Node) {
        match node.kind {
            Kind::Optional(link)
            | Kind::List(link)
            | Kind::Set(link)
            | Kind::Array { item: link, .. }
            | Kind::Map(link)
            | Kind::Constrained { node: link, .. }
            | Kind::Same { node: link, .. } => self.meet(link()),
            Kind::Tuple(links) => {
                for link in links {
                    self.meet(link());
                }
            }
            Kind::Union { tagging, variants } => {
                for link in variants.iter().filter_map(|variant| variant.content) {
                    match tagging {
                        // The keys are written beside the tag, not as a type.
                        Tagging::Internal { .. } => self.count_members(link()),
                        _ => self.meet(link()),
                    }
                }
            }
            Kind::Object { .. } => self.count_members(node),
            _ => {}
        }
    }

    /// Goes into the values of an object, flattened types among them.
    fn count_members(&mut self, node: &Node) {
        let members = Members::of(node).unwrap_or_default();
        for property in members.properties.iter() {
            self.meet((property.node)());
        }
        if let Some(value) = members.rest {
            self.meet(value());
        }
    }

    fn meet(&mut self, node: &'static Node) {
        if let Some(place) = self.place(node) {
            self.0[place].shared = true;
            return;
        }
        if let Some(named) = node.named {
            let key = self.free_key(named.short);
            self.0.push(Entry {
                node,
                full_name: (named.full)(),
                key,
                shared: false,
            });
        }
        self.count(node);
    }

    /// A key under `$defs` that no other type has. It is part of a URI reference, which is ASCII.
    fn free_key(&self, name: &str) -> String {
        let name = name.replace(
            |char: char| !char.is_ascii_alphanumeric() && char != '_',
            "_",
        );
        let taken = |key: &String| self.0.iter().any(|entry| entry.key == *key);
        let numbered = (2_usize..).map(|number| format!("{name}_{number}"));
        let mut keys = std::iter::once(name.clone()).chain(numbered);
        keys.find(|key| !taken(key)).unwrap_or(name)
    }

    /// Returns the place of a named type. The address of its node cannot identify it: the same type has a node for
    /// each amount of fuel. Names alone are not enough either, because two versions of a crate share them. So the
    /// trees are compared too.
    fn place(&self, node: &'static Node) -> Option<usize> {
        let full_name = (node.named?.full)();
        self.0
            .iter()
            .position(|entry| entry.full_name == full_name && same(entry.node, node))
    }
}
