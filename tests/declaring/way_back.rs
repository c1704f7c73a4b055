//! The way back over schemas and values that nobody chose: unions, maps, tuples, members that may be
//! left out and any values, inside each other, sent in the form of every strict profile.

use serde_json::{Map, Value, json};
use toolwright::{
    ToolDefinition,
    profile::{LossKind, Profile},
    schema::Schema,
};

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("it has 31 bits") % limit
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

const NAMES: [&str; 6] = ["a", "b", "key", "value", "object", "list"];

/// A schema, which now and then takes null too, as `OpenAPI` says it.
fn schema(numbers: &mut Numbers, depth: usize) -> Value {
    let mut schema = not_null(numbers, depth);
    let is_any = schema.as_object().is_some_and(Map::is_empty);
    if !is_any && numbers.below(5) == 0 {
        schema["nullable"] = json!(true);
    }
    schema
}

/// The schema without its null, where null would say that a member is left out.
fn without_null(mut schema: Value) -> Value {
    if let Some(keywords) = schema.as_object_mut() {
        keywords.remove("nullable");
        if let Some(Value::Array(all)) = keywords.get_mut("anyOf") {
            *all = all.drain(..).map(without_null).collect();
        }
    }
    schema
}

fn not_null(numbers: &mut Numbers, depth: usize) -> Value {
    let scalars = [
        json!({"type": "integer"}),
        json!({"type": "string"}),
        json!({"type": "boolean"}),
        json!({"const": "tag"}),
        json!({"enum": [1, 2, "1", "x"]}),
        json!({"enum": [1, 2]}),
        json!({}),
        json!({"$ref": "#/$defs/tree"}),
    ];
    if depth == 0 {
        return numbers.pick(&scalars).clone();
    }
    let depth = depth - 1;
    match numbers.below(9) {
        0 => numbers.pick(&scalars).clone(),
        1 => json!({"type": "array", "items": schema(numbers, depth)}),
        2 => json!({"type": "object", "additionalProperties": schema(numbers, depth)}),
        3 => tuple(numbers, depth),
        4 => object(numbers, depth, true),
        5 => object(numbers, depth, false),
        6 => json!({"type": ["string", "integer", "object", "array"]}),
        _ => {
            let count = 2 + numbers.below(3);
            let all: Vec<_> = (0..count).map(|_| schema(numbers, depth)).collect();
            json!({"anyOf": all})
        }
    }
}

/// A tuple: of all its places, ended, with others behind, or with anything behind.
fn tuple(numbers: &mut Numbers, depth: usize) -> Value {
    let count = 1 + numbers.below(3);
    let places: Vec<_> = (0..count).map(|_| schema(numbers, depth)).collect();
    let mut tuple = json!({"type": "array", "prefixItems": places});
    match numbers.below(5) {
        0 => tuple["items"] = json!(false),
        1 => tuple["items"] = schema(numbers, depth.min(1)),
        2 => {}
        3 => tuple["maxItems"] = json!(count + 1),
        _ => {
            tuple["minItems"] = json!(count);
            tuple["maxItems"] = json!(count);
        }
    }
    if numbers.below(3) == 0 {
        tuple["minItems"] = json!(count);
    }
    tuple
}

fn tuple_value(numbers: &mut Numbers, schema: &Value, places: &[Value], depth: usize) -> Value {
    let count = |key: &str| {
        schema[key]
            .as_u64()
            .and_then(|count| usize::try_from(count).ok())
    };
    let least = count("minItems").unwrap_or(0);
    let most = match count("maxItems") {
        Some(most) => most,
        None if schema["items"] == false => places.len(),
        None => places.len() + 2,
    };
    let length = least + numbers.below(most - least + 1);
    let others = schema.get("items").cloned().unwrap_or_else(|| json!({}));
    let of_place = |index: usize| places.get(index).unwrap_or(&others);
    (0..length)
        .map(|index| value(numbers, of_place(index), depth))
        .collect()
}

fn object(numbers: &mut Numbers, depth: usize, is_closed: bool) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for _ in 0..=numbers.below(3) {
        let name = *numbers.pick(&NAMES);
        let member = schema(numbers, depth);
        if required.contains(&name) || numbers.below(2) == 0 {
            properties.insert(name.into(), member);
            if !required.contains(&name) {
                required.push(name);
            }
        } else {
            properties.insert(name.into(), without_null(member));
        }
    }
    let others = if is_closed {
        json!(false)
    } else {
        // Members of any kind beside declared ones are not sent, which is a loss.
        match schema(numbers, depth.min(1)) {
            Value::Object(any) if any.is_empty() => json!({"type": "integer"}),
            others => others,
        }
    };
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": others})
}

/// A value that fits a schema. In an object of known members nothing else stands.
fn value(numbers: &mut Numbers, schema: &Value, depth: usize) -> Value {
    if schema["nullable"] == true && numbers.below(3) == 0 {
        return Value::Null;
    }
    if schema["$ref"].is_string() {
        return tree(numbers, depth.min(3));
    }
    if let Some(all) = schema["anyOf"].as_array() {
        let one = numbers.pick(all).clone();
        return value(numbers, &one, depth);
    }
    if let Some(all) = schema["enum"].as_array() {
        return numbers.pick(all).clone();
    }
    if let Some(one) = schema.get("const") {
        return one.clone();
    }
    let kind = match &schema["type"] {
        Value::Array(names) => numbers.pick(names).as_str().unwrap_or_default().to_owned(),
        name => name.as_str().unwrap_or("any").to_owned(),
    };
    let count = numbers.below(if depth == 0 { 1 } else { 3 });
    let inner = depth.saturating_sub(1);
    match kind.as_str() {
        "integer" => json!(numbers.below(4)),
        "boolean" => json!(numbers.below(2) == 0),
        "string" => json!(*numbers.pick(&["tag", "1", "", "[]", "{\"a\":1}", "\"x\"", "x"])),
        "array" => match schema["prefixItems"].as_array() {
            Some(places) => tuple_value(numbers, schema, places, inner),
            None => (0..count)
                .map(|_| value(numbers, &schema["items"], inner))
                .collect(),
        },
        "object" => {
            let mut members = Map::new();
            let others = &schema["additionalProperties"];
            if *others != false {
                for _ in 0..count {
                    let name = (*numbers.pick(&NAMES)).to_owned();
                    members.insert(name, value(numbers, others, inner));
                }
            }
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            for (name, property) in schema["properties"].as_object().into_iter().flatten() {
                members.remove(name);
                if required.contains(&json!(name)) || numbers.below(2) == 0 {
                    members.insert(name.clone(), value(numbers, property, inner));
                }
            }
            members.into()
        }
        _ => any(numbers, depth.min(2)),
    }
}

fn tree(numbers: &mut Numbers, depth: usize) -> Value {
    match numbers.below(if depth == 0 { 1 } else { 4 }) {
        0 => json!(numbers.below(9)),
        1 => (0..numbers.below(3))
            .map(|_| tree(numbers, depth - 1))
            .collect(),
        2 => json!({"left": tree(numbers, depth - 1), "tags": {"x": numbers.below(9)}}),
        _ => {
            let members = (0..numbers.below(3)).map(|_| {
                let name = (*numbers.pick(&NAMES)).to_owned();
                (name, tree(numbers, depth - 1))
            });
            Value::Object(members.collect())
        }
    }
}

fn any(numbers: &mut Numbers, depth: usize) -> Value {
    match numbers.below(if depth == 0 { 4 } else { 7 }) {
        0 => json!(numbers.below(3)),
        1 => json!(["tag", "1", "", "x", "[1]"][numbers.below(5)]),
        2 => json!(true),
        3 => json!(1.5),
        4 => json!([any(numbers, depth - 1)]),
        5 => json!([{"key": numbers.pick(&NAMES), "value": any(numbers, depth - 1)}]),
        _ => {
            let name = *numbers.pick(&NAMES);
            json!({name: any(numbers, depth - 1)})
        }
    }
}

fn definition(inner: &Value) -> ToolDefinition {
    let tree = json!({"anyOf": [
        {"type": "integer"},
        {"type": "array", "items": {"$ref": "#/$defs/tree"}},
        {"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"},
            "tags": {"type": "object", "additionalProperties": {"type": "integer"}}},
            "required": ["left", "tags"], "additionalProperties": false},
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/tree"}},
    ]});
    let whole = json!({"type": "object", "properties": {"p": inner}, "required": ["p"],
        "additionalProperties": false, "$defs": {"tree": tree}});
    let schema = Schema::from_text(whole.to_string()).expect("it is JSON");
    ToolDefinition::new("take", "Take a value.", schema)
}

/// Texts like those that fit, with something else somewhere.
fn spoiled(numbers: &mut Numbers, text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=numbers.below(3) {
        let place = numbers.below(bytes.len());
        bytes[place] = *numbers.pick(br#"{}[],:"01neykavlu"#);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn what_is_sent_comes_back_as_it_was() {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    let profiles = [
        Profile::openai_strict(),
        Profile::anthropic_strict(),
        Profile::gemini(),
        Profile::xai(),
        Profile::portable(),
    ];
    let (mut sent_at_all, mut wrapped, mut changed) = (0, 0, 0);
    for round in 0..600 {
        let inner = schema(&mut numbers, 1 + round % 4);
        let tool = definition(&inner);
        for profile in &profiles {
            let mut profile = profile.clone();
            profile.max_levels = None;
            let Ok(rendered) = profile.render(&tool) else {
                // A tree, or values of an enum that are the same text.
                continue;
            };
            let mut losses = rendered.losses.iter();
            if losses.any(|loss| loss.kind == LossKind::AmbiguousVariant) {
                // It has open objects, in which everything has room.
                assert_eq!(profile.name, "xai");
                continue;
            }
            let sent = rendered.parameters.as_ref().expect("it has parameters");
            wrapped += usize::from(sent.as_str().contains(r#"{"object":"#));
            let sent = jsonschema::draft202012::new(&readable(&sent.to_value()));
            let sent = sent.expect("it is a schema");
            for _ in 0..6 {
                let own = json!({"p": value(&mut numbers, &inner, 4)}).to_string();
                let there = rendered.mapping.to_provider(&own);
                let json: Value = serde_json::from_str(&there).expect("it is JSON");
                assert!(
                    sent.is_valid(&json),
                    "{}: {inner}\n{own}\n{there}",
                    profile.name
                );
                let back = rendered.mapping.to_tool(&there);
                let [own, back] = [&*own, &*back]
                    .map(|text| serde_json::from_str::<Value>(text).expect("it is JSON"));
                assert_eq!(back, own, "{}: {inner}\n{there}", profile.name);
                sent_at_all += 1;
                changed += usize::from(json != own);
                // What fits nothing is no reason to stop, and JSON stays JSON.
                let other = spoiled(&mut numbers, &there);
                let undone = rendered.mapping.to_tool(&other);
                let is_json = |text: &str| serde_json::from_str::<Value>(text).is_ok();
                assert_eq!(is_json(&other), is_json(&undone), "{other}\n{undone}");
                assert_eq!(
                    is_json(&other),
                    is_json(&rendered.mapping.to_provider(&other))
                );
            }
        }
    }
    assert!(
        sent_at_all > 5_000 && wrapped > 50 && changed > sent_at_all / 3,
        "{sent_at_all} {wrapped} {changed}"
    );
}

/// A schema that a validator reads: `nullable` is `OpenAPI`'s.
fn readable(schema: &Value) -> Value {
    match schema {
        Value::Object(object) => {
            let members = object.iter();
            let mut new: Map<_, _> = members
                .map(|(key, value)| (key.clone(), readable(value)))
                .collect();
            if new.remove("nullable") == Some(json!(true)) {
                return json!({"anyOf": [new, {"type": "null"}]});
            }
            new.into()
        }
        Value::Array(all) => all.iter().map(readable).collect(),
        value => value.clone(),
    }
}
