//! The way there: a value of a tool's own schema in the form that a profile asks the model for. It
//! is written from the fields of the profile alone, so that it shares no mistake with the way back.

use serde_json::{Map, Value, json};
use toolwright::profile::{Closing, Enums, Maps, Optional, Profile, Tuples, Untyped};

/// Encodes values for one tool and one profile.
pub(crate) struct Encode<'e> {
    pub(crate) profile: &'e Profile,
    /// The tool's own schema.
    pub(crate) root: &'e Value,
}

/// A value that cannot be sent: it has members that are not declared.
#[derive(Debug)]
pub(crate) struct Undeclared;

type Result = std::result::Result<Value, Undeclared>;

impl Encode<'_> {
    /// The arguments.
    pub(crate) fn arguments(&self, value: &Value) -> Result {
        if self.profile.any_schema {
            return Ok(value.clone());
        }
        self.at(self.root, value, true)
    }

    fn at(&self, schema: &Value, value: &Value, is_root: bool) -> Result {
        if let Some(reference) = schema["$ref"].as_str() {
            let target = self
                .root
                .pointer(&reference[1..])
                .expect("it leads somewhere");
            return self.at(target, value, is_root);
        }
        if let Some(values) = values(schema) {
            return Ok(self.choice(&values, value));
        }
        for several in ["anyOf", "oneOf"] {
            if let Some(all) = schema[several].as_array()
                && schema.get("properties").is_none()
            {
                let one = all.iter().find(|one| self.fits(one, value));
                let sent = self.at(one.expect("the value fits"), value, false)?;
                let others = all.iter().filter_map(|one| one["type"].as_str());
                return Ok(apart(others, value, sent));
            }
        }
        let kind = match (&schema["type"], value) {
            (Value::String(kind), _) => kind.as_str(),
            (Value::Array(_), Value::Object(_)) => "object",
            (Value::Array(_), Value::Array(_)) => "array",
            (Value::Array(_), _) => return Ok(value.clone()),
            _ => "any",
        };
        let sent = match (kind, value) {
            ("any", value) => Ok(match self.profile.untyped {
                Untyped::JsonString => json!(value.to_string()),
                _ => value.clone(),
            }),
            ("object", Value::Object(object)) => self.object(schema, object, is_root),
            ("array", Value::Array(items)) => self.array(schema, items),
            _ => Ok(value.clone()),
        }?;
        let others = schema["type"].as_array().into_iter().flatten();
        Ok(apart(others.filter_map(Value::as_str), value, sent))
    }

    fn fits(&self, schema: &Value, value: &Value) -> bool {
        let mut schema = schema.clone();
        for key in ["$defs", "definitions"] {
            if let (Some(schema), Some(all)) = (schema.as_object_mut(), self.root.get(key)) {
                schema.insert(key.into(), all.clone());
            }
        }
        jsonschema::draft202012::is_valid(&schema, value)
    }

    fn choice(&self, values: &[Value], value: &Value) -> Value {
        let is_sent = match (self.profile.enums, value) {
            (_, Value::String(text)) if text.is_empty() && !self.profile.empty_texts_in_enums => {
                return json!("(empty)");
            }
            (Enums::All, _) | (_, Value::String(_) | Value::Null) => true,
            (Enums::Primitives, value) => !value.is_array() && !value.is_object(),
            (Enums::StringsAndNumbers, value) => value.is_number(),
            _ => false,
        };
        if is_sent {
            return value.clone();
        }
        // As the schema writes it: `1` for `1.0`.
        let same = |other: &&Value| {
            *other == value || value.is_number() && other.as_f64() == value.as_f64()
        };
        let own = values.iter().find(same).expect("it is one of them");
        json!(own.to_string())
    }

    fn object(&self, schema: &Value, object: &Map<String, Value>, is_root: bool) -> Result {
        let none = Map::new();
        let properties = schema["properties"].as_object().unwrap_or(&none);
        let required: Vec<&str> = match schema["required"].as_array() {
            Some(names) => names.iter().filter_map(Value::as_str).collect(),
            None => Vec::new(),
        };
        let others = match schema.get("additionalProperties") {
            Some(Value::Object(others)) if !others.is_empty() => Some(Value::from(others.clone())),
            _ => None,
        };
        let is_said = schema.get("additionalProperties").is_some();
        let is_open = schema["additionalProperties"] != false;
        if properties.is_empty() && required.is_empty() && is_open && (is_said || !is_root) {
            let any = others.is_none();
            let is_pairs = any
                && self.profile.untyped == Untyped::JsonString
                && self.profile.closing != Closing::OnlyOpen;
            let sent = match (any, self.profile.maps) {
                (true, _) if is_pairs => self.pairs(&json!({}), object)?,
                (false, Maps::Pairs) => self.pairs(others.as_ref().expect("it has"), object)?,
                (false, Maps::AsIs) => {
                    let others = others.as_ref().expect("it has");
                    let members = object.iter();
                    let members = members
                        .map(|(key, value)| Ok((key.clone(), self.at(others, value, false)?)));
                    Value::Object(members.collect::<std::result::Result<_, _>>()?)
                }
                _ => Value::from(object.clone()),
            };
            let is_object = sent.is_object();
            return Ok(if is_root && !is_object {
                json!({"value": sent})
            } else {
                sent
            });
        }
        let mut sent = Map::new();
        for (name, property) in properties {
            let is_required = required.contains(&name.as_str());
            match object.get(name) {
                // It says that the member is left out.
                Some(Value::Null) if !is_required && accepts_null(property) => {
                    let null =
                        (self.profile.optional != Optional::NeverNull).then_some(Value::Null);
                    sent.extend(null.map(|null| (name.clone(), null)));
                }
                Some(value) => {
                    sent.insert(name.clone(), self.at(property, value, false)?);
                }
                None if self.profile.optional == Optional::Null => {
                    sent.insert(name.clone(), Value::Null);
                }
                None => {}
            }
        }
        let mut rest: Map<String, Value> = object.clone();
        rest.retain(|name, _| !properties.contains_key(name));
        match (others, self.profile.maps) {
            (Some(others), Maps::Pairs) => {
                sent.insert("other_members".into(), self.pairs(&others, &rest)?);
            }
            (Some(others), Maps::AsIs) => {
                for (name, value) in &rest {
                    sent.insert(name.clone(), self.at(&others, value, false)?);
                }
            }
            _ => {
                for (name, value) in rest {
                    let closes =
                        matches!(self.profile.closing, Closing::Always | Closing::OnlyOpen);
                    if required.contains(&name.as_str()) {
                        let value = self.at(&json!({}), &value, false)?;
                        sent.insert(name, value);
                    } else if closes {
                        return Err(Undeclared);
                    } else {
                        sent.insert(name, value);
                    }
                }
            }
        }
        Ok(Value::Object(sent))
    }

    fn pairs(&self, values: &Value, object: &Map<String, Value>) -> Result {
        let pair = |(key, value): (&String, &Value)| {
            Ok(json!({"key": key, "value": self.at(values, value, false)?}))
        };
        let pairs: std::result::Result<Vec<_>, _> = object.iter().map(pair).collect();
        Ok(pairs?.into())
    }

    fn array(&self, schema: &Value, items: &[Value]) -> Result {
        let any = json!({});
        let places = schema["prefixItems"].as_array();
        let of = |index: usize| match places.and_then(|places| places.get(index)) {
            Some(place) => place,
            None if places.is_some() && self.profile.tuples != Tuples::AsIs => &any,
            None => schema.get("items").unwrap_or(&any),
        };
        let sent = items
            .iter()
            .enumerate()
            .map(|(index, item)| self.at(of(index), item, false));
        let sent: Vec<Value> = sent.collect::<std::result::Result<_, _>>()?;
        if places.is_some() && self.profile.tuples == Tuples::Object {
            let members = sent.into_iter().enumerate();
            let members = members.map(|(index, item)| (index.to_string(), item));
            return Ok(Value::Object(members.collect()));
        }
        Ok(sent.into())
    }
}

/// What is sent of a variant that another one could be taken for.
fn apart<'n>(mut types: impl Iterator<Item = &'n str>, value: &Value, sent: Value) -> Value {
    match (value, &sent) {
        (Value::Object(_), Value::Array(_)) if types.any(|name| name == "array") => {
            json!({"object": sent})
        }
        (value, Value::String(_)) if value != &sent && types.any(|name| name == "string") => {
            json!({"json": sent})
        }
        _ => sent,
    }
}

/// The values that a schema lists, if it does nothing else.
fn values(schema: &Value) -> Option<Vec<Value>> {
    if let Some(values) = schema["enum"].as_array() {
        return Some(values.clone());
    }
    if let Some(value) = schema.get("const") {
        return Some(vec![value.clone()]);
    }
    let several = schema["oneOf"].as_array().or(schema["anyOf"].as_array())?;
    let all: Option<Vec<_>> = several.iter().map(values).collect();
    Some(all?.concat())
}

/// Whether null is among other values that a schema names.
fn accepts_null(schema: &Value) -> bool {
    let has = |value: &Value| *value == "null";
    let of_several = |key: &str| match schema[key].as_array() {
        Some(all) => all.iter().any(accepts_null),
        None => false,
    };
    match &schema["type"] {
        Value::Array(names) => names.iter().any(has),
        name => has(name) || of_several("anyOf") || of_several("oneOf"),
    }
}

/// The same value without the nulls that stand for what is left out.
pub(crate) fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let members = object.iter().filter(|(_, value)| !value.is_null());
            Value::Object(
                members
                    .map(|(name, value)| (name.clone(), without_nulls(value)))
                    .collect(),
            )
        }
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        value => value.clone(),
    }
}

/// A schema that a validator reads: `nullable` is `OpenAPI`'s.
pub(crate) fn readable(schema: &Value) -> Value {
    match schema {
        Value::Object(object) => {
            let mut new: Map<String, Value> = object
                .iter()
                .map(|(key, value)| (key.clone(), readable(value)))
                .collect();
            if new.remove("nullable") == Some(Value::Bool(true)) {
                return json!({"anyOf": [new, {"type": "null"}]});
            }
            Value::Object(new)
        }
        Value::Array(all) => all.iter().map(readable).collect(),
        value => value.clone(),
    }
}
