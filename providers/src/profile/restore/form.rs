//! Schemas as far as they say which form a value has: what it takes to tell variants apart.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use toolwright_json::{
    schema_draft::local_reference::target,
    tree::{Json, Object},
};

/// The position of a form among all forms.
pub(in crate::profile) type FormId = usize;

/// The form of any value. It is the first of all.
pub(super) const ANY: FormId = 0;

pub(super) const NULL: u8 = 1;
pub(super) const BOOLEAN: u8 = 1 << 1;
pub(super) const INTEGER: u8 = 1 << 2;
/// A number that is not whole.
pub(super) const FRACTION: u8 = 1 << 3;
pub(super) const STRING: u8 = 1 << 4;
pub(super) const OBJECT: u8 = 1 << 5;
pub(super) const ARRAY: u8 = 1 << 6;
const ALL: u8 = (1 << 7) - 1;

/// A form that satisfies all keywords of a schema. Keywords that do not affect the form, such as `pattern`,
/// are left out.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Form {
    /// The allowed types, one bit each.
    pub(super) types: u8,
    /// The values, in the one form of [`canonical`], sorted.
    pub(super) values: Option<Vec<String>>,
    pub(super) reference: Option<String>,
    /// Of each group one holds.
    pub(super) any_of: Vec<Vec<FormId>>,
    pub(super) all_of: Vec<FormId>,
    /// The declared members, sorted.
    pub(super) properties: Vec<(String, FormId)>,
    /// The names of members that must be there, sorted.
    pub(super) required: Vec<String>,
    pub(super) others: Others,
    /// The forms of the first items.
    pub(super) places: Vec<FormId>,
    pub(super) items: FormId,
    pub(super) limits: Limits,
}

/// The form of members that are not declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) enum Others {
    /// Nothing is said of them.
    #[default]
    Unsaid,
    /// There are none.
    None,
    Of(FormId),
}

/// Least and greatest of each. Floats are their bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Limits {
    pub(super) number: [Option<u64>; 4],
    pub(super) chars: [Option<u64>; 2],
    pub(super) items: [Option<u64>; 2],
}

impl Form {
    fn of_types(types: u8) -> Self {
        Self {
            types,
            ..Self::default()
        }
    }

    /// The form of a declared member.
    pub(super) fn property(&self, name: &str) -> Option<FormId> {
        let place = self
            .properties
            .binary_search_by(|(other, _)| other.as_str().cmp(name));
        place.ok().map(|place| self.properties[place].1)
    }

    /// The form of a member, declared or not; `None` where there is none such. `is_closed` says that
    /// an object of known members has no others, where nothing is said of them.
    pub(super) fn member(&self, name: &str, is_closed: bool) -> Option<FormId> {
        if let Some(form) = self.property(name) {
            return Some(form);
        }
        match self.others {
            Others::Of(form) => Some(form),
            Others::None => None,
            Others::Unsaid if is_closed && !self.properties.is_empty() => None,
            Others::Unsaid => Some(ANY),
        }
    }
}

/// Forms, each once.
#[derive(Debug, Default)]
pub(super) struct Forms {
    all: Vec<Arc<Form>>,
    known: HashMap<Arc<Form>, FormId>,
    /// The targets of references.
    targets: HashMap<String, FormId>,
    /// References that were met.
    references: HashSet<String>,
}

impl Forms {
    pub(super) fn new() -> Self {
        let mut forms = Self::default();
        forms.keep(Form::of_types(ALL));
        forms
    }

    pub(super) fn get(&self, form: FormId) -> &Form {
        &self.all[form]
    }

    /// Follows a form that is only a reference to its target. Returns `None` if the target is not known.
    pub(super) fn resolved(&self, form: FormId) -> Option<FormId> {
        let mut form = form;
        // A reference to a reference is rare, and a ring of them means nothing.
        for _ in 0..16 {
            let Some(reference) = &self.all[form].reference else {
                return Some(form);
            };
            form = *self.targets.get(reference)?;
        }
        None
    }

    /// The form at the target of a reference; any form if the reference leads nowhere.
    pub(super) fn target(&self, reference: &str) -> FormId {
        self.targets.get(reference).copied().unwrap_or(ANY)
    }

    /// Says what a reference leads to.
    pub(super) fn define(&mut self, reference: &str, schema: &Object) {
        let form = self.add_object(schema);
        self.targets.insert(reference.to_owned(), form);
    }

    /// Follows all references inside a document.
    pub(super) fn follow(&mut self, root: &Json) {
        // One place may be pointed at in several ways: `/a/b` and `/a/%62`.
        let mut places: HashMap<*const Json, FormId> = HashMap::new();
        loop {
            let known = &self.targets;
            let waiting = self.references.iter();
            let waiting: Vec<String> = waiting
                .filter(|name| !known.contains_key(*name))
                .cloned()
                .collect();
            if waiting.is_empty() {
                return;
            }
            for reference in waiting {
                let form = target(&reference, root).map_or(ANY, |target| {
                    let place = std::ptr::from_ref(target);
                    if let Some(&known) = places.get(&place) {
                        return known;
                    }
                    let form = self.add(target);
                    places.insert(place, form);
                    form
                });
                self.targets.insert(reference, form);
            }
        }
    }

    /// The form that a schema says.
    pub(super) fn add(&mut self, schema: &Json) -> FormId {
        match schema {
            Json::Object(schema) => self.add_object(schema),
            Json::Bool(false) => self.keep(Form::of_types(0)),
            _ => ANY,
        }
    }

    pub(super) fn add_object(&mut self, schema: &Object) -> FormId {
        let form = self.form(schema);
        self.keep(form)
    }

    fn keep(&mut self, form: Form) -> FormId {
        if let Some(&known) = self.known.get(&form) {
            return known;
        }
        let form = Arc::new(form);
        self.all.push(Arc::clone(&form));
        self.known.insert(form, self.all.len() - 1);
        self.all.len() - 1
    }

    fn form(&mut self, schema: &Object) -> Form {
        let is_nullable = schema.get("nullable") == Some(&Json::Bool(true));
        if is_nullable {
            let mut other = schema.clone();
            other.remove("nullable");
            let (other, null) = (self.add_object(&other), self.keep(Form::of_types(NULL)));
            let mut form = Form::of_types(ALL);
            form.any_of.push(vec![other, null]);
            return form;
        }
        let mut form = Form::of_types(types(schema));
        form.values = values(schema);
        if let Some(reference) = schema.text("$ref") {
            self.references.insert(reference.to_owned());
            form.reference = Some(reference.to_owned());
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(all) = schema.get(key).and_then(Json::as_list) {
                form.any_of.push(self.each(all));
            }
        }
        if let Some(all) = schema.get("allOf").and_then(Json::as_list) {
            form.all_of = self.each(all);
        }
        if let Some(Json::Object(properties)) = schema.get("properties") {
            let properties = properties.iter();
            form.properties = properties
                .map(|(name, schema)| (name.to_owned(), self.add(schema)))
                .collect();
            form.properties.sort_unstable();
        }
        let required = schema.get("required").and_then(Json::as_list);
        let required = required.unwrap_or_default().iter();
        form.required = required
            .filter_map(|name| Some(name.as_str()?.to_owned()))
            .collect();
        form.required.sort_unstable();
        form.required.dedup();
        form.others = match schema.get("additionalProperties") {
            // Which members are others is not known without the patterns.
            _ if schema.contains("patternProperties") => Others::Of(ANY),
            None => Others::Unsaid,
            Some(Json::Bool(false)) => Others::None,
            Some(schema) => Others::Of(self.add(schema)),
        };
        if let Some(places) = schema.get("prefixItems").and_then(Json::as_list) {
            form.places = self.each(places);
        }
        form.items = schema.get("items").map_or(ANY, |items| self.add(items));
        form.limits = limits(schema);
        form
    }

    fn each(&mut self, all: &[Json]) -> Vec<FormId> {
        all.iter().map(|one| self.add(one)).collect()
    }
}

fn types(schema: &Object) -> u8 {
    let of = |name: &Json| match name.as_str() {
        Some("null") => NULL,
        Some("boolean") => BOOLEAN,
        Some("integer") => INTEGER,
        Some("number") => INTEGER | FRACTION,
        Some("string") => STRING,
        Some("object") => OBJECT,
        Some("array") => ARRAY,
        _ => ALL,
    };
    match schema.get("type") {
        Some(Json::List(names)) => names.iter().map(of).fold(0, |all, one| all | one),
        Some(name) => of(name),
        None => ALL,
    }
}

fn values(schema: &Object) -> Option<Vec<String>> {
    let listed = schema.get("enum").and_then(Json::as_list);
    let constant = schema.get("const").map(canonical);
    let mut all: Vec<String> = match (listed, constant) {
        (None, constant) => vec![constant?],
        (Some(listed), None) => listed.iter().map(canonical).collect(),
        (Some(listed), Some(constant)) => {
            let same = listed.iter().map(canonical).filter(|one| *one == constant);
            same.collect()
        }
    };
    all.sort_unstable();
    all.dedup();
    Some(all)
}

fn limits(schema: &Object) -> Limits {
    let number = |key| Some(schema.get(key).and_then(Json::as_f64)?.to_bits());
    let count = |key| schema.get(key).and_then(Json::as_count);
    Limits {
        number: [
            number("minimum"),
            number("maximum"),
            number("exclusiveMinimum"),
            number("exclusiveMaximum"),
        ],
        chars: [count("minLength"), count("maxLength")],
        items: [count("minItems"), count("maxItems")],
    }
}

/// A value in one form, whatever the order of its members and the spelling of its numbers.
pub(in crate::profile) fn canonical(json: &Json) -> String {
    match json {
        Json::Number(text) => match (text.parse::<i128>(), text.parse::<f64>()) {
            (Ok(whole), _) => whole.to_string(),
            // `-0` is `0`.
            (_, Ok(number)) => (number + 0.0).to_string(),
            _ => text.clone(),
        },
        Json::List(items) => {
            let items: Vec<_> = items.iter().map(canonical).collect();
            format!("[{}]", items.join(","))
        }
        Json::Object(object) => {
            let member = |(key, value)| format!("{}:{}", Json::from(key), canonical(value));
            let mut members: Vec<_> = object.iter().map(member).collect();
            members.sort_unstable();
            format!("{{{}}}", members.join(","))
        }
        other => other.to_string(),
    }
}
