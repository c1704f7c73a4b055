//! Names in the one form that we write.

use serde_json::Value;

/// The same with names in the one form that we write, and without what is `null`. Google's servers take
/// both. Schemas, arguments and results have names of their own.
pub(crate) fn in_camel_case(value: &Value) -> Value {
    let own = [
        "parameters",
        "parametersJsonSchema",
        "args",
        "response",
        "responseSchema",
    ];
    match value {
        Value::Object(fields) => fields
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| {
                let name = camel_case(name);
                let value = if own.contains(&&*name) {
                    value.clone()
                } else {
                    in_camel_case(value)
                };
                (name, value)
            })
            .collect(),
        Value::Array(values) => values.iter().map(in_camel_case).collect(),
        value => value.clone(),
    }
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |all, word| {
        let (head, tail) = word.split_at(word.len().min(1));
        all + &head.to_ascii_uppercase() + tail
    })
}
