//! Reads the schema of a definition that somebody else wrote.
//!
//! Nothing here follows a schema without a limit: the text is bounded before it is read, and what it
//! stands for is bounded while it is walked.

mod keywords;
mod modern;
mod references;
mod walk;

use serde_json::Value;

use super::violation::Violations;
use crate::Schema;

pub(super) use modern::modern;

/// How long the schema of a foreign tool may be, in bytes of its text.
pub const MAX_SCHEMA_BYTES: usize = 1 << 20;
/// How many lists and objects of a foreign schema's text may stand inside each other.
pub const MAX_SCHEMA_NESTING: usize = 100;
/// How many schemas a foreign schema may stand for, what `$ref` points at counted each time.
pub const MAX_SCHEMA_PARTS: usize = 20_000;
/// How many schemas of a foreign schema may apply inside each other, `$ref` counted.
const MAX_INSIDE: usize = 128;

/// The schema as a value and how many schemas it stands for, if its text can be read. What is wrong
/// with it is added.
pub(super) fn read(schema: &Schema, violations: &mut Violations) -> Option<(Value, usize)> {
    let text = schema.as_str();
    let mut refuse = |message: String| {
        violations.add("arguments", message);
        None
    };
    if text.len() > MAX_SCHEMA_BYTES {
        return refuse(format!(
            "the schema has {} bytes, at most {MAX_SCHEMA_BYTES} are read",
            text.len()
        ));
    }
    if crate::arguments::nesting(text) > MAX_SCHEMA_NESTING {
        return refuse(format!(
            "the schema has more than {MAX_SCHEMA_NESTING} lists and objects inside each other"
        ));
    }
    let value = match serde_json::from_str::<Value>(text) {
        Ok(value) => value,
        Err(error) => return refuse(format!("the schema cannot be read: {error}")),
    };
    if value["type"] != "object" {
        return refuse(
            "the schema describes no object: its root must say `\"type\": \"object\"`".to_owned(),
        );
    }
    let targets = references::resolve(&value, violations);
    let parts = walk::walk(&value, &targets, violations);
    Some((value, parts))
}
