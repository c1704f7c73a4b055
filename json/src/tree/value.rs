//! The tree from and to `serde_json::Value`. No number is rounded on the way.

use serde_json::{Number, Value};

use super::Json;

impl From<&Value> for Json {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(yes) => Self::Bool(*yes),
            Value::Number(number) => Self::Number(number.to_string()),
            Value::String(text) => Self::String(text.clone()),
            Value::Array(items) => Self::List(items.iter().map(Self::from).collect()),
            Value::Object(members) => {
                let members = members.iter();
                Self::Object(members.map(|(key, value)| (key, value.into())).collect())
            }
        }
    }
}

impl From<Json> for Value {
    fn from(json: Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(yes) => Self::Bool(yes),
            Json::Number(text) => number(&text).map_or(Self::Null, Self::Number),
            Json::String(text) => Self::String(text),
            Json::List(items) => items.into_iter().collect(),
            Json::Object(members) => members.into_iter().collect(),
        }
    }
}

/// A number as `serde_json` has it: an integer, or else the nearest float.
fn number(text: &str) -> Option<Number> {
    let integer = text.parse::<u64>().map(Number::from);
    let integer = integer.or_else(|_| text.parse::<i64>().map(Number::from));
    integer.map_or_else(|_| Number::from_f64(text.parse().ok()?), Some)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::tree::Json;

    #[test]
    fn a_value_comes_back_as_it_was() {
        let value = json!({"b": [null, true, "é\n", {}], "a": {"x": [
            0, -1, u64::MAX, i64::MIN, 0.1, 1.0, -0.0, 1e300, 5e-324, 0.1 + 0.2
        ]}});
        let json = Json::from(&value);
        assert_eq!(json, Json::parse(&value.to_string()).expect("is JSON"));
        assert_eq!(Value::from(json).to_string(), value.to_string());
    }
}
