//! Checks that the examples and defaults of a schema are values that a call may send.
//!
//! What constants know of them was checked while the program was compiled. This is the rest: patterns, types
//! with a form of their own, what is inside of lists, and defaults that functions make.

use std::collections::HashSet;

use toolwright_json::path::Step;

use crate::{
    arguments::{
        explain::fault::Fault,
        validate::{faults, shape},
    },
    schema::{Constraint, Kind, Link, Node, Property, Tagging, Variant},
};

/// Returns the mistakes in the examples and defaults of arguments, each with its place.
pub(crate) fn mistakes(root: Link) -> Vec<String> {
    let mut walk = Walk::default();
    walk.node(root());
    walk.mistakes
}

#[derive(Default)]
struct Walk {
    path: Vec<Step>,
    /// The visited nodes: a type that is used twice is reported once.
    seen: HashSet<*const Node>,
    mistakes: Vec<String>,
}

impl Walk {
    fn node(&mut self, node: &'static Node) {
        if !self.seen.insert(node) {
            return;
        }
        match node.kind {
            Kind::Constrained {
                node: inner,
                constraints,
            } => {
                for constraint in constraints {
                    if let Constraint::Example(example) = constraint {
                        let json = example.to_string();
                        self.add("example", &json, faults(node, &json));
                    }
                }
                self.node(inner());
            }
            Kind::Same { node: inner, .. } | Kind::Optional(inner) => self.node(inner()),
            Kind::List(item) | Kind::Set(item) | Kind::Array { item, .. } => {
                self.inside(Step::Index(0), item);
            }
            Kind::Tuple(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.inside(Step::Index(index), *item);
                }
            }
            Kind::Map(value) => self.inside(Step::Key("*".to_owned()), value),
            Kind::Object { properties, .. } => self.properties(properties),
            Kind::Union { tagging, variants } => self.variants(tagging, variants),
            _ => {}
        }
    }

    fn properties(&mut self, properties: &'static [Property]) {
        for property in properties {
            if property.is_flattened {
                self.node((property.node)());
                continue;
            }
            self.path.push(Step::Key(property.name.to_owned()));
            if let Some(json) = property.default.and_then(|default| default()) {
                let faults = default_faults((property.node)(), &json);
                self.add("default", &json, faults);
            }
            self.node((property.node)());
            self.path.pop();
        }
    }

    fn variants(&mut self, tagging: Tagging, variants: &'static [Variant]) {
        for variant in variants {
            let Some(content) = variant.content else {
                continue;
            };
            match tagging {
                Tagging::External => self.inside(Step::Key(variant.name.to_owned()), content),
                Tagging::Adjacent { content: key, .. } => {
                    self.inside(Step::Key(key.to_owned()), content);
                }
                Tagging::Internal { .. } | Tagging::Untagged => self.node(content()),
            }
        }
    }

    fn inside(&mut self, step: Step, node: Link) {
        self.path.push(step);
        self.node(node());
        self.path.pop();
    }

    fn add(&mut self, what: &str, json: &str, faults: Vec<Fault>) {
        for mut fault in faults {
            for step in self.path.iter().rev() {
                fault.enter(step.clone());
            }
            let message = fault.message();
            self.mistakes.push(format!(
                "{message}, in the {what} {}",
                toolwright_json::path::cut(json)
            ));
        }
    }
}

/// A type may be written otherwise than it is read, so that a default is asked for its constraints only,
/// and where it would be read.
fn default_faults(node: &Node, json: &str) -> Vec<Fault> {
    match shape::rewrite(node, json) {
        Err(_) => Vec::new(),
        Ok(_) => faults(node, json),
    }
}
