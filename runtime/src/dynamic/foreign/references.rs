//! What `$ref` points at. Only the document itself is looked into: nothing is fetched.

use std::{
    collections::{HashMap, HashSet},
    ptr,
};

use serde_json::{Map, Value};

use super::keywords::{REFERENCES, parts};
use crate::dynamic::{place::start, violation::Violations};

/// What the schemas that refer to others refer to.
pub(super) type Targets<'s> = HashMap<*const Value, Vec<&'s Value>>;

/// Finds what every reference of a document points at.
pub(super) fn resolve<'s>(root: &'s Value, violations: &mut Violations) -> Targets<'s> {
    let mut document = Document {
        resources: vec![root],
        ..Document::default()
    };
    document.collect(root, 0, &mut "#".to_owned());
    let mut targets = Targets::new();
    // What is pointed at may stand where no keyword holds schemas, and point at more.
    let mut done = 0;
    while let Some(reference) = document.references.get(done) {
        done += 1;
        let (from, resource) = (ptr::from_ref(reference.from), reference.resource);
        match document.find(reference.text, resource) {
            Ok((target, resource)) => {
                targets.entry(from).or_default().push(target);
                let mut path = reference.text.to_owned();
                document.collect(target, resource, &mut path);
            }
            Err(problem) => {
                let text = start(reference.text);
                let message = match problem {
                    Problem::Missing => {
                        format!("`{text}` points at nothing: define it under `$defs`")
                    }
                    Problem::Remote => format!(
                        "`{text}` points outside of the schema, and nothing is fetched: copy what \
                         it points at to `$defs`"
                    ),
                };
                violations.add(&reference.path, message);
            }
        }
    }
    targets
}

#[derive(Default)]
struct Document<'s> {
    /// The root, and what has an id of its own.
    resources: Vec<&'s Value>,
    /// By their ids as they are written.
    by_id: HashMap<&'s str, usize>,
    /// By resource and name.
    anchors: HashMap<(usize, &'s str), &'s Value>,
    references: Vec<Reference<'s>>,
    collected: HashSet<*const Value>,
}

struct Reference<'s> {
    from: &'s Value,
    text: &'s str,
    resource: usize,
    path: String,
}

enum Problem {
    Missing,
    Remote,
}

impl<'s> Document<'s> {
    /// Notes the names and the references of a schema and of those in it. The depth of the text,
    /// which is bounded, bounds the depth of this.
    fn collect(&mut self, schema: &'s Value, resource: usize, path: &mut String) {
        let Value::Object(keywords) = schema else {
            return;
        };
        if !self.collected.insert(ptr::from_ref(schema)) {
            return;
        }
        let resource = self.name(schema, keywords, resource);
        for keyword in REFERENCES {
            if let Some(Value::String(text)) = keywords.get(keyword) {
                self.references.push(Reference {
                    from: schema,
                    text,
                    resource,
                    path: format!("{path}/{keyword}"),
                });
            }
        }
        let length = path.len();
        for part in parts(keywords) {
            path.push('/');
            path.push_str(part.keyword);
            if let Some(key) = part.key {
                path.push('/');
                path.push_str(&start(key));
            }
            self.collect(part.schema, resource, path);
            path.truncate(length);
        }
    }

    /// Notes the names of a schema, and gives the resource that it belongs to.
    fn name(&mut self, schema: &'s Value, keywords: &'s Map<String, Value>, outer: usize) -> usize {
        let mut resource = outer;
        // Draft 4 has `id`. Up to draft 7 an id of a fragment alone is an anchor.
        let id = keywords.get("$id").or_else(|| keywords.get("id"));
        let id = id.and_then(Value::as_str).unwrap_or_default();
        let (address, fragment) = id.split_once('#').unwrap_or((id, ""));
        if !address.is_empty() {
            if !ptr::eq(schema, self.resources[0]) {
                resource = self.resources.len();
                self.resources.push(schema);
            }
            self.by_id.entry(address).or_insert(resource);
        }
        let anchors = ["$anchor", "$dynamicAnchor"].map(|keyword| keywords.get(keyword));
        let anchors = anchors.into_iter().flatten().filter_map(Value::as_str);
        for anchor in anchors.chain((!fragment.is_empty()).then_some(fragment)) {
            self.anchors.entry((resource, anchor)).or_insert(schema);
        }
        resource
    }

    /// What a reference of a resource points at, and the resource of that. Ids are compared as they
    /// are written.
    fn find(&self, reference: &str, resource: usize) -> Result<(&'s Value, usize), Problem> {
        let (address, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let resource = match address {
            "" => resource,
            address => *self.by_id.get(address).ok_or(Problem::Remote)?,
        };
        let fragment = percent_decoded(fragment);
        let target = if fragment.is_empty() || fragment.starts_with('/') {
            self.resources[resource].pointer(&fragment)
        } else {
            self.anchors.get(&(resource, fragment.as_str())).copied()
        };
        Ok((target.ok_or(Problem::Missing)?, resource))
    }
}

/// A fragment as the pointer or the name that it stands for.
fn percent_decoded(fragment: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = fragment.as_bytes();
    while let [first, after @ ..] = rest {
        let code = after
            .get(..2)
            .and_then(|code| std::str::from_utf8(code).ok());
        let code = code.filter(|code| code.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
