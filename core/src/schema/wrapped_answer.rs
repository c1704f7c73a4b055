//! The schema of an answer, which is an object whatever the type is.

use serde::Deserialize;

use super::{Describe, Kind, Link, Node, Property, Start, ToolInput};

/// An object around a value that is no object by itself: providers and tools take nothing else.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WrappedAnswer<T> {
    pub(crate) answer: T,
}

impl<T: ToolInput> WrappedAnswer<T> {
    pub(crate) fn node() -> &'static Node {
        const {
            &Node::arguments(
                &[Property {
                    name: "answer",
                    description: "",
                    aliases: &[],
                    is_flattened: false,
                    has_default: false,
                    default: None,
                    node: <T::Body<Start> as Describe>::node,
                }],
                <T::Body<Start> as Describe>::FACTS,
            )
        }
    }
}

/// The value of a type in the form of an answer.
#[derive(Debug, Clone, Copy)]
pub enum AnswerRoot {
    /// As it is: an object of known keys.
    Plain(Link),
    /// In an object, under the key `answer`.
    Wrapped(Link),
}

impl AnswerRoot {
    /// The root of a type.
    pub fn of<T: ToolInput>() -> Self {
        let plain: Link = <T::Body<Start> as Describe>::node;
        if is_object(plain()) {
            Self::Plain(plain)
        } else {
            Self::Wrapped(WrappedAnswer::<T>::node)
        }
    }

    /// The node of what the model writes.
    pub fn link(self) -> Link {
        match self {
            Self::Plain(link) | Self::Wrapped(link) => link,
        }
    }
}

/// Returns true if every provider that takes a schema takes one of this root: variants, references and maps are taken by
/// some only.
fn is_object(node: &Node) -> bool {
    match node.kind {
        Kind::Object { .. } => true,
        Kind::Same { node, .. } | Kind::Constrained { node, .. } => is_object(node()),
        _ => false,
    }
}
