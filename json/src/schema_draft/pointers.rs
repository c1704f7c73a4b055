//! The references in a schema.

use crate::tree::{Json, Object};

/// The kind of content under a keyword.
enum Under {
    /// A schema, or an array of schemas.
    Schema,
    /// An object of schemas.
    Schemas,
    /// Values, or anything else.
    Data,
}

fn under(key: &str) -> Under {
    match key {
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => {
            Under::Schemas
        }
        "enum" | "const" | "default" | "examples" | "example" | "required" => Under::Data,
        _ => Under::Schema,
    }
}

/// The pointer of a reference into this schema, whose own address may stand before it; `None` for
/// another document.
pub fn pointer(reference: &str, root: &Json) -> Option<String> {
    let (before, pointer) = reference.split_once('#')?;
    let own = root.as_object().and_then(|root| root.text("$id"));
    let own = own.map(|own| own.trim_end_matches('#'));
    (before.is_empty() || own == Some(before)).then(|| decoded(pointer))
}

/// A fragment of an address without its `%20` and the like; one that is none of UTF-8 stays.
fn decoded(fragment: &str) -> String {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let code = after
            .get(..2)
            .and_then(|code| std::str::from_utf8(code).ok());
        let code = code.filter(|code| code.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(code) if byte == b'%' => {
                bytes.push(code);
                rest = &after[2..];
            }
            _ => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| fragment.to_owned())
}

/// The pointers of all references in a schema, but for those of its definitions.
pub fn collect(schema: &Json, root: &Json, found: &mut Vec<String>) {
    match schema {
        Json::Object(schema) => {
            for (key, value) in schema.iter() {
                match (key, under(key), value) {
                    ("$ref", _, Json::String(reference)) => {
                        found.extend(pointer(reference, root));
                    }
                    ("$defs" | "definitions", _, _) | (_, Under::Data, _) => {}
                    (_, Under::Schemas, Json::Object(all)) => {
                        all.iter().for_each(|(_, one)| collect(one, root, found));
                    }
                    (_, _, value) => collect(value, root, found),
                }
            }
        }
        Json::List(all) => all.iter().for_each(|one| collect(one, root, found)),
        _ => {}
    }
}

/// A schema that has moved below `place`, with its references; its definitions stay at the top.
pub fn moved(schema: &Json, root: &Json, place: &str) -> Json {
    match schema {
        Json::Object(schema) => {
            let member = |(key, value): (&str, &Json)| {
                let new = match (key, under(key), value) {
                    ("$ref", _, Json::String(reference)) => {
                        moved_reference(reference, root, place).as_str().into()
                    }
                    (_, Under::Data, value) => value.clone(),
                    (_, Under::Schemas, Json::Object(all)) => moved_all(all, root, place).into(),
                    (_, _, value) => moved(value, root, place),
                };
                (key.to_owned(), new)
            };
            schema.iter().map(member).collect::<Object>().into()
        }
        Json::List(all) => Json::List(all.iter().map(|one| moved(one, root, place)).collect()),
        other => other.clone(),
    }
}

fn moved_all(all: &Object, root: &Json, place: &str) -> Object {
    let all = all.iter();
    all.map(|(name, one)| (name.to_owned(), moved(one, root, place)))
        .collect()
}

fn moved_reference(reference: &str, root: &Json, place: &str) -> String {
    let is_of_top = |pointer: &str| {
        let mut tops = ["/$defs", "/definitions"].into_iter();
        tops.any(|top| {
            let rest = pointer.strip_prefix(top);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    };
    match pointer(reference, root) {
        Some(found) if (found.is_empty() || found.starts_with('/')) && !is_of_top(&found) => {
            let (_, written) = reference.split_once('#').unwrap_or_default();
            format!("#{place}{written}")
        }
        _ => reference.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::tree::Json;

    use super::pointer;

    #[test]
    fn a_reference_leads_into_its_own_document() {
        let root = Json::parse(r#"{"$id":"https://example.org/a"}"#).expect("it is JSON");
        for (reference, expected) in [
            ("#", Some("")),
            ("#/$defs/a%20b", Some("/$defs/a b")),
            ("#/$defs/%C3%A9", Some("/$defs/é")),
            ("#/$defs/%zz%4", Some("/$defs/%zz%4")),
            ("https://example.org/a#/$defs/F", Some("/$defs/F")),
            ("https://example.org/b#/$defs/F", None),
            ("b.json", None),
        ] {
            assert_eq!(
                pointer(reference, &root).as_deref(),
                expected,
                "{reference}"
            );
        }
    }
}
