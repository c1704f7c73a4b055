//! `schemars::JsonSchema` from the tree, for types marked `#[tool(json_schema)]`.

use std::{borrow::Cow, iter, mem};

use schemars::SchemaGenerator;
use serde_json::{Map, Value};
use toolwright_json::schema_draft::each_reference::each_reference;

use super::{Describe, Start, ToolInput};

/// The schema of a type. Its `$defs` are in the generator.
pub fn json_schema<T: ToolInput>(name: &str, generator: &mut SchemaGenerator) -> schemars::Schema {
    let node = <T::Body<Start> as Describe>::node();
    let mut schema = node.to_schema().to_value();
    if !node.description.is_empty() {
        schema["description"] = node.description.into();
    }
    let definitions = schema.as_object_mut();
    let definitions = match definitions.and_then(|keywords| keywords.remove("$defs")) {
        Some(Value::Object(definitions)) => definitions,
        _ => Map::new(),
    };
    hoist(name, &definitions, &mut schema, generator);
    match schema {
        Value::Object(schema) => schema.into(),
        _ => unreachable!("a tree is written as an object"),
    }
}

/// Moves definitions into the generator. They are called by the type too, because a name that
/// schemars takes later would replace them, and by a number, if another type has the same name.
fn hoist(
    owner: &str,
    definitions: &Map<String, Value>,
    schema: &mut Value,
    generator: &mut SchemaGenerator,
) {
    let path = generator.settings().definitions_path.to_string();
    let numbered = (2_usize..).map(|number| format!("{owner}{number}"));
    for owner in iter::once(owner.to_owned()).chain(numbered) {
        let prefix = format!("#{path}/{owner}.");
        let all = definitions.iter().map(|(name, definition)| {
            let mut definition = definition.clone();
            rename(&mut definition, &prefix);
            (format!("{owner}.{name}"), definition)
        });
        let all: Vec<_> = all.collect();
        let taken = generator.definitions();
        if all
            .iter()
            .all(|(key, definition)| taken.get(key).is_none_or(|other| other == definition))
        {
            generator.definitions_mut().extend(all);
            return rename(schema, &prefix);
        }
    }
}

/// Makes references say where the definitions stand.
fn rename(schema: &mut Value, prefix: &str) {
    each_reference(schema, &mut |reference| {
        if let Some(name) = reference.strip_prefix("#/$defs/") {
            *reference = format!("{prefix}{name}");
        }
    });
}

/// The name of a type, as schemars makes it of its path: `Page_for_String`.
pub fn schema_name(path: &'static str) -> Cow<'static, str> {
    let mut name = String::new();
    let mut word = String::new();
    for char in path.chars() {
        match char {
            // What stands before is a module.
            ':' => word.clear(),
            '_' => word.push(char),
            _ if char.is_alphanumeric() => word.push(char),
            _ => {
                name.push_str(&mem::take(&mut word));
                match char {
                    '<' => name.push_str("_for_"),
                    ',' => name.push_str("_and_"),
                    _ => {}
                }
            }
        }
    }
    name.push_str(&word);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::schema_name;

    #[test]
    fn a_name_has_no_modules() {
        for (path, name) in [
            ("crate_name::inner::Page", "Page"),
            ("a::Page<alloc::string::String>", "Page_for_String"),
            ("a::Map<u8, b::Page<u16>>", "Map_for_u8_and_Page_for_u16"),
        ] {
            assert_eq!(schema_name(path), name);
        }
    }
}
