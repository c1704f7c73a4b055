//! The arguments object.

use toolwright_json::{
    schema_draft::pointers,
    tree::{Json, Object},
};

use super::{super::Reason, At, Fault, Renderer, choice, form};
pub(super) use crate::profile::restore::WRAPPER;
use crate::profile::restore::{KEEP, StepId};

/// The path of the arguments.
pub(super) const PATH: &str = "arguments";

/// The keywords that no provider accepts next to the type of the arguments.
const COMPOSITION: [&str; 6] = ["anyOf", "oneOf", "allOf", "enum", "const", "not"];

impl Renderer<'_> {
    /// Writes the arguments; `None` if they are sent as they are.
    pub(super) fn root(&mut self) -> Result<(Option<Object>, StepId), Fault> {
        let at = At::root();
        let empty = Object::new();
        let own = self.root.as_object().unwrap_or(&empty);
        if self.profile.any_schema {
            return self.any_root(own, &at);
        }
        let mut schema = self.inlined(own, &at)?;
        while schema.contains("allOf") {
            schema = self.merged(&schema, &at)?;
            schema = self.inlined(&schema, &at)?;
        }
        let is_object = schema.text("type").is_none_or(|name| name == "object");
        let sent = if is_object && is_plain(&schema) {
            schema.set("type", "object");
            self.object(&schema, &at)?
        } else {
            let inner = At {
                level: 1,
                ..at.inner("")
            };
            let value = self.place(&schema.into(), &inner)?;
            self.wrapped(value)
        };
        let mut sent = match sent {
            sent if sent.schema.text("type") == Some("object") => sent,
            // A map has become a list, or any object a text.
            sent => self.wrapped(sent),
        };
        if let Some(definitions) = self.written_definitions() {
            sent.schema.push("$defs", definitions);
        }
        Ok((Some(sent.schema), sent.step))
    }

    /// The arguments where the provider takes any schema but for what stands at the top.
    fn any_root(&mut self, own: &Object, at: &At) -> Result<(Option<Object>, StepId), Fault> {
        let schema = &if own.contains("$ref") {
            self.inlined(own, at)?
        } else {
            own.clone()
        };
        let properties = schema.get("properties").and_then(Json::as_object);
        let names = properties.into_iter().flat_map(Object::keys);
        for name in names {
            if !self.profile.parameter_names.accepts(name) {
                let allowed = self.profile.parameter_names.to_string();
                let name = name.to_owned();
                return Err(at.fault(Reason::Name { name, allowed }));
            }
        }
        let is_object = schema.text("type") == Some("object");
        if is_object && !COMPOSITION.iter().any(|key| schema.contains(key)) {
            return Ok((own.contains("$ref").then(|| schema.clone()), KEEP));
        }
        if is_plain(schema) && schema.text("type").is_none_or(|name| name == "object") {
            return Ok((Some(self.in_words(schema, at)), KEEP));
        }
        // Definitions stay at the top, where references lead.
        let place = format!("/properties/{WRAPPER}");
        let value = pointers::moved(&own.clone().into(), self.root, &place);
        let Json::Object(mut value) = value else {
            unreachable!("an object stays one")
        };
        let definitions = ["$schema", "$id", "$defs", "definitions"];
        let definitions = definitions.map(|key| (key, value.remove(key)));
        let mut sent = form::record(Object::from_iter([(WRAPPER, Json::from(value))]));
        for (key, definitions) in definitions {
            if let Some(definitions) = definitions {
                sent.push(key, definitions);
            }
        }
        Ok((Some(sent), self.plan.root(KEEP, None)))
    }

    /// An object whose composition is described in words.
    fn in_words(&mut self, schema: &Object, at: &At) -> Object {
        let mut sent = schema.clone();
        sent.set("type", "object");
        let mut notes = Vec::new();
        for key in COMPOSITION {
            if let Some(value) = sent.remove(key) {
                notes.extend(self.told(key, &value.to_string(), at));
            }
        }
        if !notes.is_empty() {
            let own = sent.text("description").map(|own| format!("{own} "));
            let all = format!("{}({})", own.unwrap_or_default(), notes.join("; "));
            sent.set("description", all.as_str());
        }
        sent
    }
}

/// Returns true if the composition at the top does not change the form, for example if it only says which of
/// two members is present.
fn is_plain(schema: &Object) -> bool {
    let form = [
        "type",
        "properties",
        "$ref",
        "enum",
        "const",
        "anyOf",
        "oneOf",
        "allOf",
    ];
    let has_no_form = |one: &Json| {
        let one = one.as_object();
        one.is_none_or(|one| !form.iter().any(|key| one.contains(key)))
    };
    if schema.contains("$ref") || choice::values(schema).is_some() {
        return false;
    }
    ["anyOf", "oneOf", "allOf"]
        .iter()
        .all(|key| match schema.get(key) {
            Some(Json::List(all)) => all.iter().all(has_no_form),
            _ => true,
        })
}

/// Returns true if arguments have no members.
pub(super) fn is_empty(schema: &Object) -> bool {
    let properties = schema.get("properties").and_then(Json::as_object);
    let is_open = schema
        .get("additionalProperties")
        .is_some_and(|rest| *rest != Json::Bool(false));
    properties.is_none_or(Object::is_empty) && !is_open
}
