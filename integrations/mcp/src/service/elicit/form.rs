//! The schema of a form: an object of strings, numbers, booleans and enums.

use serde_json::{Map, Value, json};
use toolwright_core::schema::{Choice, Constraint, Kind, Node, Number};

use crate::service::fields;

/// The formats that a form may have.
const FORMATS: [&str; 4] = ["email", "uri", "date", "date-time"];

/// The schema of a form for the fields of a node.
pub(super) fn of(node: &'static Node) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in fields::of_node(node).unwrap_or_default() {
        let mut schema = Map::new();
        write((field.node)(), &mut schema);
        if let Some(text) = fields::description_of(field) {
            schema.insert("description".to_owned(), text.into());
        }
        let default = field.default.and_then(|make| make());
        if let Some(default) = default.and_then(|json| serde_json::from_str(&json).ok()) {
            schema.insert("default".to_owned(), default);
        }
        properties.insert(field.name.to_owned(), Value::Object(schema));
        if field.is_required() {
            required.push(field.name);
        }
    }
    json!({"type": "object", "properties": properties, "required": required})
}

/// Writes what a form shows of a node. What it cannot show is checked when the answer comes.
fn write(node: &Node, schema: &mut Map<String, Value>) {
    let mut set = |name: &str, value: Value| {
        schema.insert(name.to_owned(), value);
    };
    match node.kind {
        Kind::Boolean => set("type", "boolean".into()),
        Kind::Integer { minimum, maximum } => {
            set("type", "integer".into());
            if let Some(minimum) = minimum {
                set("minimum", minimum.into());
            }
            if let Some(maximum) = maximum {
                set("maximum", maximum.into());
            }
        }
        Kind::Number => set("type", "number".into()),
        Kind::Character => {
            set("type", "string".into());
            set("minLength", 1.into());
            set("maxLength", 1.into());
        }
        Kind::Formatted(spelling) => {
            set("type", "string".into());
            let format = spelling.format.filter(|format| FORMATS.contains(format));
            if let Some(format) = format {
                set("format", format.into());
            }
        }
        Kind::Choice(choices) => {
            set("type", "string".into());
            let (name, values) = values(choices, "oneOf");
            set(name, values);
        }
        Kind::List(each) | Kind::Set(each) | Kind::Array { item: each, .. } => {
            set("type", "array".into());
            set("items", items(each()));
            if let Kind::Array { length, .. } = node.kind {
                set("minItems", length.into());
                set("maxItems", length.into());
            }
        }
        Kind::Optional(inner) | Kind::Same { node: inner, .. } => write(inner(), schema),
        Kind::Constrained { node, constraints } => {
            write(node(), schema);
            for constraint in constraints {
                constrain(constraint, schema);
            }
        }
        _ => set("type", "string".into()),
    }
}

/// The values of an enum, with what a person reads of each where that is known.
fn values(choices: &[Choice], titled: &'static str) -> (&'static str, Value) {
    if choices.iter().all(|choice| choice.description.is_empty()) {
        let names = choices.iter().map(|choice| choice.name);
        return ("enum", names.collect());
    }
    let shown = choices.iter().map(|choice| {
        let own = [choice.description, choice.name];
        let title = own.into_iter().find(|text| !text.is_empty());
        json!({"const": choice.name, "title": title})
    });
    (titled, shown.collect())
}

fn items(item: &Node) -> Value {
    match item.kind {
        Kind::Choice(choices) => match values(choices, "anyOf") {
            ("enum", names) => json!({"type": "string", "enum": names}),
            (name, titles) => json!({name: titles}),
        },
        Kind::Same { node, .. } | Kind::Constrained { node, .. } => items(node()),
        _ => json!({"type": "string"}),
    }
}

fn constrain(constraint: &Constraint, schema: &mut Map<String, Value>) {
    let is = |schema: &Map<_, _>, kind: &str| schema.get("type").is_some_and(|it| it == kind);
    let is_integer = is(schema, "integer");
    match constraint {
        Constraint::Range(range) => {
            if let Some(start) = range.start {
                schema.insert("minimum".to_owned(), limit(start, 0));
            }
            if let Some(end) = range.end {
                let below = i128::from(range.is_half_open && is_integer);
                schema.insert("maximum".to_owned(), limit(end, below));
            }
        }
        Constraint::Length(length) => {
            let (least, most) = if is(schema, "array") {
                ("minItems", "maxItems")
            } else {
                ("minLength", "maxLength")
            };
            for (name, length) in [(least, length.minimum), (most, length.maximum)] {
                if let Some(length) = length {
                    schema.insert(name.to_owned(), length.into());
                }
            }
        }
        Constraint::Format(format) if FORMATS.contains(&format.name()) => {
            schema.insert("format".to_owned(), format.name().into());
        }
        _ => {}
    }
}

fn limit(number: Number, below: i128) -> Value {
    match number {
        Number::Integer(number) => match i64::try_from(number - below) {
            Ok(number) => number.into(),
            Err(_) => Value::Null,
        },
        Number::Float(number) => number.into(),
    }
}
