//! Tools of a request that the user lists in the provider's own form.

use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use toolwright_json::JsonText;

/// The field in which Gemini has all functions of an entry.
const DECLARATIONS: &str = "functionDeclarations";

/// An entry of a list, as far as its names go.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'j> {
    name: Option<String>,
    function: Option<Function>,
    #[serde(borrow)]
    function_declarations: Option<Vec<&'j RawValue>>,
}

#[derive(Deserialize)]
struct Function {
    name: Option<String>,
}

/// The array of our tools with the user's after them. A tool of ours whose name the user's list has is left out, since no
/// provider takes a name twice.
///
/// Gemini takes all functions in one entry, so that ours go into it.
pub(super) fn joined(ours: &JsonText, theirs: &[Value]) -> JsonText {
    let names: Vec<&str> = theirs.iter().flat_map(names_of).collect();
    let is_kept = |entry: &&RawValue| {
        let entry = serde_json::from_str::<Entry<'_>>(entry.get());
        let name = entry.ok().and_then(Entry::into_name);
        name.is_none_or(|name| !names.contains(&&*name))
    };
    let list: Vec<&RawValue> = serde_json::from_str(ours.as_str()).unwrap_or_default();
    let mut entries = Vec::new();
    let mut functions = Vec::new();
    for entry in list.into_iter().filter(is_kept) {
        let declared = serde_json::from_str::<Entry<'_>>(entry.get()).ok();
        match declared.and_then(|entry| entry.function_declarations) {
            Some(all) => functions.extend(all.into_iter().filter(is_kept).map(RawValue::get)),
            None => entries.push(entry.get().to_owned()),
        }
    }
    let mut functions: Vec<_> = functions.into_iter().map(str::to_owned).collect();
    let has_functions = !functions.is_empty();
    for entry in theirs {
        match entry.as_object() {
            Some(fields) if has_functions && fields.contains_key(DECLARATIONS) => {
                let declared = fields[DECLARATIONS].as_array();
                functions.extend(declared.into_iter().flatten().map(Value::to_string));
                let mut rest = fields.clone();
                rest.remove(DECLARATIONS);
                if !rest.is_empty() {
                    entries.push(Value::Object(rest).to_string());
                }
            }
            _ => entries.push(entry.to_string()),
        }
    }
    if has_functions {
        let all = functions.join(",");
        entries.insert(0, format!(r#"{{"{DECLARATIONS}":[{all}]}}"#));
    }
    let text = format!("[{}]", entries.join(","));
    JsonText::new(text).unwrap_or_else(|_| unreachable!("its entries are JSON"))
}

impl Entry<'_> {
    fn into_name(self) -> Option<String> {
        self.name.or_else(|| self.function?.name)
    }
}

/// The names of the tools of an entry.
fn names_of(entry: &Value) -> Vec<&str> {
    let declared = entry[DECLARATIONS].as_array().into_iter().flatten();
    std::iter::once(entry)
        .chain(declared)
        .filter_map(|entry| {
            let names = [&entry["name"], &entry["function"]["name"]];
            names.into_iter().find_map(Value::as_str)
        })
        .collect()
}
