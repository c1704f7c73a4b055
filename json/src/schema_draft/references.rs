//! Targets of `$ref`. Only the document itself is searched: nothing is fetched.

use std::{
    collections::{HashMap, HashSet},
    ptr,
    rc::Rc,
};

use serde_json::{Map, Value};

use super::{
    address::{is_address, resolve},
    keywords::{REFERENCES, parts},
    local_reference::percent_decoded,
};

/// The references of a document, by the schemas in which they stand.
#[derive(Debug, Default)]
pub struct References<'s> {
    by_schema: HashMap<*const Value, Vec<Reference<'s>>>,
    /// The targets of references, each with the string of the first reference to it.
    labels: HashMap<*const Value, &'s str>,
    /// The number of times that each name occurs in a `$dynamicAnchor`.
    dynamic: HashMap<&'s str, usize>,
    /// True if a part of the document has an address of its own.
    has_parts: bool,
}

/// A reference, and what it points at.
#[derive(Debug)]
pub struct Reference<'s> {
    keyword: &'static str,
    /// The reference, as it was written.
    pub text: &'s str,
    /// The schema that it points at.
    pub target: Result<&'s Value, Problem>,
}

/// The reason why a reference has no target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// The document has nothing at that place.
    Missing,
    /// It points into another document.
    Remote,
}

impl<'s> References<'s> {
    /// The references that stand in a schema.
    pub fn of(&self, schema: &Value) -> &[Reference<'s>] {
        self.by_schema
            .get(&ptr::from_ref(schema))
            .map_or(&[], Vec::as_slice)
    }

    /// Returns the string of the first reference to a schema, if there is one.
    pub fn label(&self, schema: &Value) -> Option<&'s str> {
        self.labels.get(&ptr::from_ref(schema)).copied()
    }

    /// Returns true if the target of a reference depends on the path that leads to the reference.
    pub fn is_unclear(&self, reference: &Reference<'s>) -> bool {
        let name = reference.text.split_once('#').map_or("", |(_, name)| name);
        match reference.keyword {
            "$dynamicRef" => self.dynamic.get(name).is_some_and(|&count| count > 1),
            "$recursiveRef" => self.has_parts,
            _ => false,
        }
    }
}

/// Finds what every reference of a document points at.
pub fn find(root: &Value) -> References<'_> {
    let mut document = Document {
        root,
        resources: vec![Resource {
            schema: root,
            address: Rc::from(""),
        }],
        by_address: HashMap::new(),
        anchors: HashMap::new(),
        pending: Vec::new(),
        collected: HashSet::new(),
        dynamic: HashMap::new(),
    };
    document.collect(root, 0);
    let mut found = References::default();
    // What is pointed at may stand where no keyword holds schemas, and point at more.
    let mut done = 0;
    while let Some(&pending) = document.pending.get(done) {
        done += 1;
        let text = pending.text;
        let target = document.find(text, pending.resource);
        if let Ok((target, resource)) = target {
            found.labels.entry(ptr::from_ref(target)).or_insert(text);
            document.collect(target, resource);
        }
        let from = ptr::from_ref(pending.from);
        let references = found.by_schema.entry(from).or_default();
        references.push(Reference {
            keyword: pending.keyword,
            text,
            target: target.map(|(target, _)| target),
        });
    }
    found.dynamic = document.dynamic;
    found.has_parts = document.resources.len() > 1;
    found
}

struct Document<'s> {
    root: &'s Value,
    /// The root, and what has an address of its own.
    resources: Vec<Resource<'s>>,
    by_address: HashMap<Rc<str>, usize>,
    /// By resource and name.
    anchors: HashMap<(usize, &'s str), &'s Value>,
    /// References whose target is to be found.
    pending: Vec<Pending<'s>>,
    collected: HashSet<*const Value>,
    dynamic: HashMap<&'s str, usize>,
}

struct Resource<'s> {
    schema: &'s Value,
    address: Rc<str>,
}

#[derive(Clone, Copy)]
struct Pending<'s> {
    from: &'s Value,
    keyword: &'static str,
    text: &'s str,
    resource: usize,
}

impl<'s> Document<'s> {
    /// Notes the names and the references of a schema and of those in it. The depth of the text,
    /// which is bounded, bounds the depth of this.
    fn collect(&mut self, schema: &'s Value, resource: usize) {
        let Value::Object(keywords) = schema else {
            return;
        };
        if !self.collected.insert(ptr::from_ref(schema)) {
            return;
        }
        let resource = self.name(schema, keywords, resource);
        for keyword in REFERENCES {
            if let Some(Value::String(text)) = keywords.get(keyword) {
                self.pending.push(Pending {
                    from: schema,
                    keyword,
                    text,
                    resource,
                });
            }
        }
        for part in parts(keywords) {
            self.collect(part.schema, resource);
        }
    }

    /// Notes the names of a schema, and gives the resource that it belongs to.
    fn name(&mut self, schema: &'s Value, keywords: &'s Map<String, Value>, outer: usize) -> usize {
        let mut resource = outer;
        // Draft 4 has `id`. Up to draft 7 an id of a fragment alone is an anchor.
        let id = keywords.get("$id").or_else(|| keywords.get("id"));
        let id = id.and_then(Value::as_str).unwrap_or_default();
        let (address, fragment) = id.split_once('#').unwrap_or((id, ""));
        if !address.is_empty()
            && is_address(address)
            && let Some(address) = resolve(&self.resources[outer].address, address)
        {
            let address: Rc<str> = address.into();
            if ptr::eq(schema, self.root) {
                self.resources[0].address = Rc::clone(&address);
            } else {
                resource = self.resources.len();
                self.resources.push(Resource {
                    schema,
                    address: Rc::clone(&address),
                });
            }
            self.by_address.entry(address).or_insert(resource);
        }
        let anchor = keywords.get("$anchor").and_then(Value::as_str);
        let dynamic = keywords.get("$dynamicAnchor").and_then(Value::as_str);
        if let Some(name) = dynamic {
            *self.dynamic.entry(name).or_default() += 1;
        }
        let fragment = (!fragment.is_empty()).then_some(fragment);
        for anchor in [anchor, dynamic, fragment].into_iter().flatten() {
            self.anchors.entry((resource, anchor)).or_insert(schema);
        }
        resource
    }

    /// Finds the target of a reference within a resource, and the resource of that target.
    fn find(&self, reference: &str, resource: usize) -> Result<(&'s Value, usize), Problem> {
        let (address, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let resource = match address {
            "" => resource,
            address => {
                let address = resolve(&self.resources[resource].address, address);
                let known = address.and_then(|address| self.by_address.get(address.as_str()));
                *known.ok_or(Problem::Remote)?
            }
        };
        let fragment = percent_decoded(fragment);
        let inside = |resource: usize| {
            if fragment.is_empty() || fragment.starts_with('/') {
                self.resources[resource].schema.pointer(&fragment)
            } else {
                self.anchors.get(&(resource, &*fragment)).copied()
            }
        };
        // Some write an id as a note, and mean the document.
        let places = [Some(resource), address.is_empty().then_some(0)];
        let mut places = places.into_iter().flatten();
        let target = places.find_map(|place| Some((inside(place)?, place)));
        target.ok_or(Problem::Missing)
    }
}
