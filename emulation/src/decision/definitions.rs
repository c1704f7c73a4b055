//! The definitions to which the schemas of tools refer, in one schema that has them all.

use serde_json::{Map, Value};
use toolwright_json::schema_draft::{keywords::schemas_mut, local_reference};

/// Keywords by which a schema names or finds another one in other ways than by its place.
const BY_NAME: [&str; 4] = ["$dynamicRef", "$recursiveRef", "$id", "id"];

/// The definitions of several tools. Each has a name of its own, whatever the tools call theirs.
#[derive(Debug, Default)]
pub(super) struct Definitions(Map<String, Value>);

impl Definitions {
    /// Takes the definitions of the tool at a place among others, and returns its schema with references to them.
    ///
    /// It is `None`, and nothing is taken, where a reference does not lead to a place in the schema; and where it would
    /// be many times as long, since its references lead into one another.
    pub(super) fn take(&mut self, place: usize, schema: Value) -> Option<Value> {
        let root = schema;
        let mut moved = Moved {
            root: &root,
            place,
            pointers: Vec::new(),
            room: 4 * root.to_string().len() + 64 * 1024,
        };
        let own = moved.copy(&root, true)?;
        let mut taken = Vec::new();
        while let Some(pointer) = moved.pointers.get(taken.len()).cloned() {
            let target = moved.root.pointer(&pointer)?;
            let name = moved.name(taken.len());
            taken.push((name, moved.copy(target, pointer.is_empty())?));
        }
        self.0.extend(taken);
        Some(own)
    }

    /// Writes the definitions into the schema that refers to them.
    pub(super) fn write(self, schema: &mut Value) {
        if !self.0.is_empty() {
            schema["$defs"] = self.0.into();
        }
    }
}

/// A schema whose parts are moved.
struct Moved<'s> {
    root: &'s Value,
    place: usize,
    /// The places to which its references lead, each once.
    pointers: Vec<String>,
    /// The bytes that may still be written.
    room: usize,
}

impl Moved<'_> {
    /// A copy of a part with references to where their targets are moved.
    fn copy(&mut self, part: &Value, is_root: bool) -> Option<Value> {
        self.room = self.room.checked_sub(part.to_string().len())?;
        let mut part = part.clone();
        if let (Value::Object(keywords), true) = (&mut part, is_root) {
            for key in ["$schema", "$id", "id", "$defs", "definitions"] {
                keywords.remove(key);
            }
        }
        self.lead(&mut part)?;
        Some(part)
    }

    /// Leads the references of a schema to where their targets are moved.
    fn lead(&mut self, schema: &mut Value) -> Option<()> {
        for (keyword, value) in schema.as_object_mut().into_iter().flatten() {
            match value {
                Value::String(reference) if keyword == "$ref" => {
                    let place = self.place_of(reference)?;
                    *reference = format!("#/$defs/{}", self.name(place));
                }
                Value::String(_) if BY_NAME.contains(&keyword.as_str()) => return None,
                value => {
                    for schema in schemas_mut(keyword, value) {
                        self.lead(schema)?;
                    }
                }
            }
        }
        Some(())
    }

    /// The place of what a reference leads to, among the definitions.
    fn place_of(&mut self, reference: &str) -> Option<usize> {
        let pointer = local_reference::pointer(reference, self.root)?;
        let is_schema = |value: &Value| value.is_object() || value.is_boolean();
        self.root
            .pointer(&pointer)
            .filter(|value| is_schema(value))?;
        let known = self.pointers.iter().position(|known| *known == pointer);
        Some(known.unwrap_or_else(|| {
            self.pointers.push(pointer.into_owned());
            self.pointers.len() - 1
        }))
    }

    /// The name of a definition: that of its tool's place and its own, and a few letters of what it was called.
    fn name(&self, index: usize) -> String {
        let (_, last) = self.pointers[index].rsplit_once('/').unwrap_or_default();
        let is_plain = |char: &char| char.is_ascii_alphanumeric() || *char == '_';
        let label: String = last.chars().filter(is_plain).take(32).collect();
        format!("t{}_{index}_{label}", self.place)
    }
}
