//! A comparison of two trees.

use std::{collections::HashSet, mem::discriminant, ptr};

use crate::schema::{Kind, Link, Node, Property, Variant};

/// Returns true if two trees are the same in every place. Parts that are shared are compared once.
pub(super) fn same(a: &'static Node, b: &'static Node) -> bool {
    Same(HashSet::new()).nodes(a, b)
}

/// The pairs of nodes that have been compared, or are being compared.
struct Same(HashSet<(*const Node, *const Node)>);

impl Same {
    fn links(&mut self, a: Link, b: Link) -> bool {
        self.nodes(a(), b())
    }

    fn nodes(&mut self, a: &'static Node, b: &'static Node) -> bool {
        if ptr::eq(a, b) || !self.0.insert((a, b)) {
            return true;
        }
        let names = |node: &Node| node.named.map(|named| (named.short, (named.full)()));
        a.description == b.description && names(a) == names(b) && self.kinds(a.kind, b.kind)
    }

    fn kinds(&mut self, a: Kind, b: Kind) -> bool {
        if discriminant(&a) != discriminant(&b) {
            return false;
        }
        match (a, b) {
            (
                Kind::Integer { minimum, maximum },
                Kind::Integer {
                    minimum: least,
                    maximum: greatest,
                },
            ) => (minimum, maximum) == (least, greatest),
            (
                Kind::Same {
                    node: a,
                    is_transparent,
                },
                Kind::Same {
                    node: b,
                    is_transparent: other,
                },
            ) => is_transparent == other && self.links(a, b),
            (
                Kind::Constrained {
                    node: a,
                    constraints,
                },
                Kind::Constrained {
                    node: b,
                    constraints: others,
                },
            ) => constraints == others && self.links(a, b),
            (Kind::Optional(a), Kind::Optional(b))
            | (Kind::List(a), Kind::List(b))
            | (Kind::Set(a), Kind::Set(b))
            | (Kind::Map(a), Kind::Map(b)) => self.links(a, b),
            (
                Kind::Array { item: a, length },
                Kind::Array {
                    item: b,
                    length: other,
                },
            ) => length == other && self.links(a, b),
            (Kind::Tuple(a), Kind::Tuple(b)) => all_same(a, b, |(a, b)| self.links(*a, *b)),
            (
                Kind::Object { properties, closed },
                Kind::Object {
                    properties: others,
                    closed: other,
                },
            ) => closed == other && all_same(properties, others, |(a, b)| self.properties(a, b)),
            (Kind::Choice(a), Kind::Choice(b)) => a == b,
            (
                Kind::Union { tagging, variants },
                Kind::Union {
                    tagging: other,
                    variants: others,
                },
            ) => tagging == other && all_same(variants, others, |(a, b)| self.variants(a, b)),
            (Kind::Formatted(a), Kind::Formatted(b)) => {
                (a.format, a.pattern, a.expected) == (b.format, b.pattern, b.expected)
            }
            #[cfg(feature = "schemars")]
            (Kind::Foreign(a), Kind::Foreign(b)) => (a.name)() == (b.name)(),
            // The other kinds have no parts.
            _ => true,
        }
    }

    fn properties(&mut self, a: &Property, b: &Property) -> bool {
        let told = |property: &Property| {
            (
                property.name,
                property.description,
                property.aliases,
                property.is_flattened,
                property.has_default,
            )
        };
        told(a) == told(b) && self.links(a.node, b.node)
    }

    fn variants(&mut self, a: &Variant, b: &Variant) -> bool {
        (a.name, a.aliases, a.description) == (b.name, b.aliases, b.description)
            && match (a.content, b.content) {
                (Some(a), Some(b)) => self.links(a, b),
                (None, None) => true,
                _ => false,
            }
    }
}

fn all_same<T>(a: &[T], b: &[T], same: impl FnMut((&T, &T)) -> bool) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(same)
}

#[cfg(test)]
mod tests {
    use super::same;
    use crate::schema::{
        Constraint, Describe as _, Kind, Length, Named, Node, Property, Start, ToolInput,
    };

    fn text() -> &'static Node {
        <<String as ToolInput>::Body<Start>>::node()
    }

    fn constrained<const MAXIMUM: usize>() -> &'static Node {
        const {
            &Node::new(Kind::Constrained {
                node: text,
                constraints: &[Constraint::Length(Length {
                    minimum: None,
                    maximum: Some(MAXIMUM),
                })],
            })
        }
    }

    /// A type of the same name and outer shape, whatever it is limited to.
    fn named<const MAXIMUM: usize>() -> &'static Node {
        const {
            &Node {
                named: Some(Named {
                    short: "Name",
                    full: || "one::Name",
                }),
                description: "",
                kind: Kind::Object {
                    properties: &[Property {
                        name: "text",
                        description: "",
                        aliases: &[],
                        is_flattened: false,
                        has_default: false,
                        default: None,
                        node: constrained::<MAXIMUM>,
                    }],
                    closed: false,
                },
                is_constrained: true,
                allows_unknown_keys: false,
            }
        }
    }

    #[test]
    fn types_that_differ_in_constraints_are_two() {
        assert!(same(named::<1>(), named::<1>()));
        assert!(!same(named::<1>(), named::<2>()));
        let both = const { &Node::new(Kind::Tuple(&[named::<1>, named::<2>, named::<1>])) };
        let schema = both.to_schema().to_value();
        let items = schema["prefixItems"].as_array().expect("it is a list");
        assert_eq!(items[0], serde_json::json!({"$ref": "#/$defs/Name"}));
        assert_eq!(items[1]["properties"]["text"]["maxLength"], 2);
        assert_eq!(items[2], items[0]);
    }
}
