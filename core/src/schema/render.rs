//! The tree as JSON Schema text, in the order of declaration.

mod constraint;
#[cfg(feature = "schemars")]
mod foreign;
mod identity;
mod object;
mod shared;
mod union;

use std::fmt::Write as _;

use toolwright_json::string::push_quoted;

use super::{Choice, Constraint, Kind, Link, Node, Schema};
use shared::Shared;

/// Writes the tree. A type with a name that is met twice is written once, under `$defs`.
pub(super) fn render(root: &Node) -> Schema {
    let shared = Shared::of(root);
    let mut text = String::new();
    let mut writer = Writer {
        text: &mut text,
        shared: &shared,
        constraints: Vec::new(),
        #[cfg(feature = "schemars")]
        foreign: foreign::Collected::default(),
    };
    writer.inline(root, "");
    writer.definitions();
    #[cfg(feature = "schemars")]
    let defect = writer.foreign_defect();
    let schema = Schema::from_text(text).expect("what is written here is JSON");
    #[cfg(feature = "schemars")]
    let schema = schema.with_defect(defect);
    schema
}

struct Writer<'a> {
    text: &'a mut String,
    shared: &'a Shared,
    /// The constraints of the value that comes next.
    constraints: Vec<Constraint>,
    #[cfg(feature = "schemars")]
    foreign: foreign::Collected,
}

impl Writer<'_> {
    /// Writes a node, as a reference if it is shared. The description is the place's, if it has
    /// one, else the type's.
    fn node(&mut self, node: &'static Node, description: &str) {
        if let Some(key) = self.shared.key(node) {
            let _ = write!(self.text, r##"{{"$ref":"#/$defs/{key}""##);
            self.described(description);
            let constraints = std::mem::take(&mut self.constraints);
            self.examples(&constraints);
            self.text.push('}');
            return;
        }
        let description = if description.is_empty() {
            node.description
        } else {
            description
        };
        self.inline(node, description);
    }

    /// Writes a node in its place.
    fn inline(&mut self, node: &Node, description: &str) {
        match node.kind {
            Kind::Optional(link) => return self.optional(link, description),
            Kind::Same { node, .. } => return self.node(node(), description),
            Kind::Constrained { node, constraints } => {
                self.constraints.extend(constraints);
                return self.node(node(), description);
            }
            #[cfg(feature = "schemars")]
            Kind::Foreign(foreign) => return self.foreign(foreign, description),
            _ => {}
        }
        let constraints = std::mem::take(&mut self.constraints);
        self.text.push('{');
        match simple(node.kind) {
            Some(name) => self.text_member("type", name),
            None => self.structure(node),
        }
        self.constraints(node.kind, &constraints);
        self.described(description);
        self.examples(&constraints);
        self.text.push('}');
    }

    fn optional(&mut self, link: Link, description: &str) {
        let mut inner = link();
        while let Kind::Constrained { node, constraints } = inner.kind {
            self.constraints.extend(constraints);
            inner = node();
        }
        // What is null already needs no second word for it.
        if matches!(inner.kind, Kind::Optional(_) | Kind::Null | Kind::Any) {
            return self.inline(inner, description);
        }
        let constraints = std::mem::take(&mut self.constraints);
        self.text.push('{');
        if let Some(name) = simple(inner.kind) {
            self.member("type", &format!(r#"["{name}","null"]"#));
            self.constraints(inner.kind, &constraints);
            if description.is_empty() {
                self.described(inner.description);
            }
        } else {
            self.member("anyOf", "[");
            self.constraints = without_examples(&constraints);
            self.node(inner, "");
            self.text.push_str(r#",{"type":"null"}]"#);
        }
        self.described(description);
        self.examples(&constraints);
        self.text.push('}');
    }

    fn structure(&mut self, node: &Node) {
        match node.kind {
            Kind::List(item) => self.list(item),
            Kind::Set(item) => {
                self.list(item);
                self.member("uniqueItems", "true");
            }
            Kind::Array { item, length } => {
                self.list(item);
                self.fixed_length(length);
            }
            Kind::Tuple(items) => {
                self.member("type", r#""array""#);
                // An empty list of them is not allowed.
                if !items.is_empty() {
                    self.member("prefixItems", "[");
                    for item in items {
                        self.separate();
                        self.node(item(), "");
                    }
                    self.text.push(']');
                }
                self.fixed_length(items.len());
            }
            Kind::Map(_) | Kind::Object { .. } => self.object(None, node),
            Kind::Choice(choices) => {
                self.member("type", r#""string""#);
                self.choices(choices);
            }
            Kind::Union { tagging, variants } => self.union(tagging, variants),
            Kind::Any => {}
            _ => unreachable!("the other kinds are simple, or stand for another node"),
        }
    }

    fn list(&mut self, item: Link) {
        self.member("type", r#""array""#);
        self.member("items", "");
        self.node(item(), "");
    }

    fn fixed_length(&mut self, length: usize) {
        let _ = write!(self.text, r#","minItems":{length},"maxItems":{length}"#);
    }

    /// Texts without a word about them are an `enum`; with one, each is a `const`.
    fn choices(&mut self, choices: &[Choice]) {
        let documented = choices.iter().any(|choice| !choice.description.is_empty());
        self.member(if documented { "oneOf" } else { "enum" }, "[");
        for choice in choices {
            self.separate();
            if documented {
                self.text.push('{');
                self.text_member("const", choice.name);
                self.described(choice.description);
                self.text.push('}');
            } else {
                self.string(choice.name);
            }
        }
        self.text.push(']');
    }

    fn described(&mut self, description: &str) {
        if !description.is_empty() {
            self.text_member("description", description);
        }
    }

    /// Writes what the references point to, which may refer to more.
    fn definitions(&mut self) {
        let end = self.text.len() - 1;
        self.text.truncate(end);
        self.member("$defs", "{");
        let start = self.text.len();
        for (key, node) in self.shared.definitions() {
            self.member(key, "");
            self.inline(node, node.description);
        }
        #[cfg(feature = "schemars")]
        for (key, schema) in self.foreign_definitions() {
            self.member(&key, &schema.to_string());
        }
        if self.text.len() == start {
            self.text.truncate(end);
        } else {
            self.text.push('}');
        }
        self.text.push('}');
    }

    /// Writes the comma before all but the first part of a list or an object.
    fn separate(&mut self) {
        if !self.text.ends_with(['{', '[']) {
            self.text.push(',');
        }
    }

    /// Writes a key, and its value or the start of it.
    fn member(&mut self, name: &str, json: &str) {
        self.separate();
        self.string(name);
        self.text.push(':');
        self.text.push_str(json);
    }

    /// Writes a key whose value is a string.
    fn text_member(&mut self, name: &str, text: &str) {
        self.member(name, "");
        self.string(text);
    }

    fn string(&mut self, text: &str) {
        push_quoted(self.text, text);
    }
}

/// The name of a type without parts.
fn simple(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Null => Some("null"),
        Kind::Boolean => Some("boolean"),
        Kind::Integer { .. } => Some("integer"),
        Kind::Number => Some("number"),
        Kind::String | Kind::Character | Kind::Formatted(_) => Some("string"),
        _ => None,
    }
}

/// Returns the constraints that are enforced: examples belong to the whole of an optional value.
fn without_examples(constraints: &[Constraint]) -> Vec<Constraint> {
    let is_example = |constraint: &&Constraint| matches!(constraint, Constraint::Example(_));
    constraints
        .iter()
        .filter(|constraint| !is_example(constraint))
        .copied()
        .collect()
}
