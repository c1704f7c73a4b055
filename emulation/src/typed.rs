//! Bare text as the value of a parameter, by the type that its schema declares.

use serde_json::Value;
use toolwright_core::repair_json;
use toolwright_json::string::quoted;

/// The maximum number of schemas inside each other that are looked at.
const DEPTH: usize = 8;

/// The types that a schema allows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "a set of the six types of JSON"
)]
struct Types {
    string: bool,
    number: bool,
    boolean: bool,
    null: bool,
    list: bool,
    object: bool,
}

impl Types {
    const ALL: Self = Self {
        string: true,
        number: true,
        boolean: true,
        null: true,
        list: true,
        object: true,
    };

    fn of(schema: Option<&Value>, root: Option<&Value>) -> Self {
        let mut types = Self::default();
        if let Some(schema) = schema {
            types.add(schema, root, DEPTH);
        }
        if types == Self::default() {
            Self::ALL
        } else {
            types
        }
    }

    fn add(&mut self, schema: &Value, root: Option<&Value>, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else {
            return;
        };
        match schema.get("type") {
            Some(Value::String(name)) => self.named(name),
            Some(Value::Array(names)) => {
                names
                    .iter()
                    .filter_map(Value::as_str)
                    .for_each(|name| self.named(name));
            }
            _ => {}
        }
        let values = schema.get("enum").and_then(Value::as_array);
        for value in values.into_iter().flatten().chain(schema.get("const")) {
            self.like(value);
        }
        for key in ["anyOf", "oneOf"] {
            let variants = schema.get(key).and_then(Value::as_array);
            for variant in variants.into_iter().flatten() {
                self.add(variant, root, depth);
            }
        }
        let target = schema.get("$ref").and_then(Value::as_str);
        let target = target.and_then(|target| root?.pointer(target.strip_prefix('#')?));
        if let Some(target) = target {
            self.add(target, root, depth);
        }
    }

    fn named(&mut self, name: &str) {
        match name {
            "string" => self.string = true,
            "number" | "integer" => self.number = true,
            "boolean" => self.boolean = true,
            "null" => self.null = true,
            "array" => self.list = true,
            "object" => self.object = true,
            _ => {}
        }
    }

    fn like(&mut self, value: &Value) {
        match value {
            Value::String(_) => self.string = true,
            Value::Number(_) => self.number = true,
            Value::Bool(_) => self.boolean = true,
            Value::Null => self.null = true,
            Value::Array(_) => self.list = true,
            Value::Object(_) => self.object = true,
        }
    }
}

/// Returns the JSON of a value that was written as bare text. `root` is the schema that holds the parameter's.
///
/// Text that is no value of another declared type is a string: its mistake is reported when the arguments are
/// decoded.
pub(crate) fn typed(text: &str, schema: Option<&Value>, root: Option<&Value>) -> String {
    let types = Types::of(schema, root);
    other_than_string(text.trim(), types).unwrap_or_else(|| quoted(without_line_ends(text)))
}

/// Removes the line end after the opening tag and the one before the closing tag.
fn without_line_ends(text: &str) -> &str {
    let text = text
        .strip_prefix("\r\n")
        .or_else(|| text.strip_prefix('\n'))
        .unwrap_or(text);
    text.strip_suffix("\r\n")
        .or_else(|| text.strip_suffix('\n'))
        .unwrap_or(text)
}

fn other_than_string(text: &str, types: Types) -> Option<String> {
    let is = |word: &str| text.eq_ignore_ascii_case(word);
    if is("null") || is("none") {
        return (types.null || !types.string).then(|| "null".to_owned());
    }
    if types.boolean && (is("true") || is("false")) {
        return Some(text.to_ascii_lowercase());
    }
    match text.chars().next()? {
        '{' if !types.object => None,
        '[' if !types.list => None,
        '{' | '[' => {
            let repaired = repair_json(text).ok()?;
            let is_whole = !repaired.is_cut_off && repaired.text.starts_with(&text[..1]);
            is_whole.then(|| repaired.text.into_owned())
        }
        '-' | '0'..='9' if types.number => {
            let number: Value = serde_json::from_str(text).ok()?;
            number.is_number().then(|| text.to_owned())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::typed;

    #[test]
    fn a_value_takes_the_declared_type() {
        let check = |text: &str, schema: serde_json::Value, expected: &str| {
            assert_eq!(
                typed(text, Some(&schema), Some(&schema)),
                expected,
                "{text} as {schema}"
            );
        };
        let string = || json!({"type": "string"});
        check("\n12\n", string(), "\"12\"");
        check("null", string(), "\"null\"");
        check("\n\n a \n\n", string(), "\"\\n a \\n\"");
        check("{'a': True}", json!({"type": "object"}), "{\"a\":true}");
        check("[1, 2", json!({"type": "array"}), "\"[1, 2\"");
        check("[1, 2", json!({"type": ["array", "string"]}), "\"[1, 2\"");
        check(" 1.50 ", json!({"type": "number"}), "1.50");
        check("1e999", json!({"type": "number"}), "\"1e999\"");
        check("FALSE", json!({"type": "boolean"}), "false");
        check(
            "None",
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            "null",
        );
        check("7", json!({"enum": [7, 8]}), "7");
        check("x", json!({}), "\"x\"");
        check("7", json!({}), "7");
        let looped = json!({"$ref": "#"});
        check("true", looped, "true");
    }
}
