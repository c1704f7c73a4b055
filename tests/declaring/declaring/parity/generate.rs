//! JSON values at random: such as a schema allows, and such as differ from those in one place.

use serde_json::{Map, Value, json};

/// A small generator with a fixed seed: the same values in every run.
pub(in crate::declaring) struct Random {
    state: u64,
    /// How many more values there may be: types that share others grow without end.
    left: usize,
}

impl Random {
    pub(in crate::declaring) fn new(seed: u64) -> Self {
        Self {
            state: seed ^ 0x2545_f491_4f6c_dd1d,
            left: usize::MAX,
        }
    }

    /// Sets how many values may be made from here on, those inside others too. Any more are null.
    pub(in crate::declaring) fn limit(&mut self, values: usize) {
        self.left = values;
    }

    /// Whether all values that may be made are.
    pub(in crate::declaring) fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// A number from 0, below another.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state % end as u64).expect("it is below a usize")
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// A value that a schema allows. `root` is where its references point.
pub(in crate::declaring) fn allowed(schema: &Value, root: &Value, random: &mut Random) -> Value {
    if random.is_spent() {
        return Value::Null;
    }
    random.left -= 1;
    if let Some(reference) = schema["$ref"].as_str() {
        let target = root.pointer(&reference[1..]).expect("it points somewhere");
        return allowed(target, root, random);
    }
    for several in ["anyOf", "oneOf"] {
        if let Some(schemas) = schema[several].as_array() {
            let one = random.below(schemas.len());
            return allowed(&schemas[one], root, random);
        }
    }
    if let Some(names) = schema["enum"].as_array() {
        return random.of(names).clone();
    }
    if let Some(name) = schema.get("const") {
        return name.clone();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => random.of(kinds).as_str().expect("a type is a name"),
        kind => kind.as_str().unwrap_or("any"),
    };
    match kind {
        "null" => Value::Null,
        "boolean" => json!(random.below(2) == 0),
        "integer" => integer(schema, random),
        "number" => random
            .of(&[json!(1), json!(-1.5), json!(0.25), json!(1e30)])
            .clone(),
        "string" if schema["maxLength"] == 1 => random.of(&[json!("a"), json!("é")]).clone(),
        "string" => random
            .of(&[json!(""), json!("a\n\"é"), json!("city")])
            .clone(),
        "array" => list(schema, root, random),
        "object" => object(schema, root, random),
        _ => random.of(&strangers()).clone(),
    }
}

fn integer(schema: &Value, random: &mut Random) -> Value {
    let least = schema["minimum"].as_i64().unwrap_or(-9_007_199_254_740_992);
    let greatest = schema["maximum"].as_i64().unwrap_or(9_007_199_254_740_992);
    match random.below(4) {
        0 => json!(least),
        1 => json!(greatest),
        2 => json!(least.max(1)),
        // Written as a float, it is an integer all the same.
        _ => serde_json::from_str(&format!("{}.0", least.max(1))).expect("it is a number"),
    }
}

fn list(schema: &Value, root: &Value, random: &mut Random) -> Value {
    let mut items: Vec<Value> = Vec::new();
    if let Some(schemas) = schema["prefixItems"].as_array() {
        items.extend(schemas.iter().map(|item| allowed(item, root, random)));
    } else {
        let length = match schema["minItems"].as_u64() {
            Some(length) => usize::try_from(length).expect("a test has short lists"),
            None => random.below(4),
        };
        for _ in 0..length {
            let mut item = allowed(&schema["items"], root, random);
            if is_pair(&schema["items"]) {
                // A provider cannot say that keys differ; those of a map do, also from its members.
                item["key"] = json!(format!("key {}", items.len()));
            }
            let same = |other: &Value| {
                other == &item || number(other).is_some_and(|n| number(&item) == Some(n))
            };
            if schema["uniqueItems"] != true || !items.iter().any(same) {
                items.push(item);
            }
        }
    }
    Value::Array(items)
}

/// Whether a schema is that of an entry of a map that is sent as a list.
fn is_pair(schema: &Value) -> bool {
    let members = schema["properties"].as_object();
    members.is_some_and(|members| members.keys().eq(["key", "value"]))
}

/// A number, as `1` and `1.0` are the same.
fn number(value: &Value) -> Option<f64> {
    value.as_f64()
}

fn object(schema: &Value, root: &Value, random: &mut Random) -> Value {
    let mut object = Map::new();
    let required = |name: &String| {
        let names = schema["required"].as_array();
        names.is_some_and(|names| names.iter().any(|other| other == name))
    };
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if required(name) || random.below(2) == 0 {
            object.insert(name.clone(), allowed(property, root, random));
        }
    }
    match &schema["additionalProperties"] {
        Value::Null if random.below(4) == 0 => {
            object.insert("stranger".into(), random.of(&strangers()).clone());
        }
        Value::Object(_) => {
            for key in ["one", "two"].into_iter().take(random.below(3)) {
                let value = allowed(&schema["additionalProperties"], root, random);
                object.insert(key.into(), value);
            }
        }
        _ => {}
    }
    Value::Object(object)
}

/// Values that fit few places. Among them is no list, because serde also reads a struct from one.
fn strangers() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1.5),
        json!(300),
        json!(70_000),
        json!(-1.0),
        json!(""),
        json!("ab"),
        json!("x"),
        json!({}),
        json!({"stranger": 1}),
    ]
}

/// The text of a value, with a character more, less, or another.
pub(super) fn broken(value: &Value, random: &mut Random) -> String {
    let mut text: Vec<char> = value.to_string().chars().collect();
    let start = random.below(text.len());
    let end = start + random.below(2);
    let new = random.of(&["", "{", "]", ",", "\"", "-0", "1e9", "null"]);
    text.splice(start..end, new.chars());
    text.into_iter().collect()
}

/// Changes one place of a value.
pub(super) fn change(value: &mut Value, random: &mut Random) {
    match value {
        Value::Object(object) if !object.is_empty() && random.below(5) > 0 => {
            let keys: Vec<String> = object.keys().cloned().collect();
            let key = random.of(&keys).clone();
            // serde passes over other keys beside the two of an adjacent tag.
            let is_adjacent = object.contains_key("t");
            match random.below(8) {
                0 => {
                    object.remove(&key);
                }
                _ if is_adjacent => change(&mut object[&key], random),
                1 => {
                    object.insert("stranger".into(), random.of(&strangers()).clone());
                }
                2 => {
                    let value = object.remove(&key).expect("the key is there");
                    object.insert(format!("{key}_"), value);
                }
                _ => change(&mut object[&key], random),
            }
        }
        Value::Array(items) if !items.is_empty() && random.below(5) > 0 => {
            let place = random.below(items.len());
            match random.below(8) {
                0 => {
                    items.remove(place);
                }
                // A value that is not there already: serde reads a repeated one in a set once.
                1 => items.push(json!(format!("stranger {}", random.below(1_000_000)))),
                _ => {
                    let before = items.clone();
                    change(&mut items[place], random);
                    let new = &items[place];
                    let same = |other: &Value| {
                        other == new || number(other).is_some_and(|n| number(new) == Some(n))
                    };
                    if before.iter().any(same) {
                        *items = before;
                    }
                }
            }
        }
        _ => *value = random.of(&strangers()).clone(),
    }
}
