//! The place in a schema from which an error comes.

use jsonschema::{ValidationError, paths::LocationSegment};
use serde_json::Value;
use toolwright_json::schema_draft::local_reference::target;

/// The schema that holds the keyword of an error.
///
/// The path of an error goes through references, which no pointer does.
pub(super) fn parent<'s>(error: &ValidationError<'_>, root: &'s Value) -> Option<&'s Value> {
    let mut steps: Vec<_> = error.schema_path().segments().collect();
    steps.pop()?;
    let mut schema = root;
    for step in steps {
        schema = match step {
            LocationSegment::Property(key) if key == "$ref" && schema.get("$ref")?.is_string() => {
                target(schema.get("$ref")?.as_str()?, root)?
            }
            LocationSegment::Property(key) => schema.get(key.as_ref())?,
            LocationSegment::Index(index) => schema.get(index)?,
        };
    }
    Some(schema)
}
