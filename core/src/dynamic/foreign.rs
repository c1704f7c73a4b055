//! Reads the schema of a definition from elsewhere.
//!
//! Nothing here follows a schema without a limit: the text is bounded before it is read, and what it
//! stands for is bounded while it is walked.

mod bundle;
mod walk;

use serde_json::Value;
use toolwright_json::{
    duplicate_keys::duplicate_key,
    nesting::nesting,
    path::{Step, cut},
    schema_draft::references,
};

use super::{
    finding::Finding,
    validate::{Patterns, SchemaCheck},
    violation::Violations,
};
use crate::Schema;

/// The greatest size of a foreign tool's schema, in bytes of its text.
pub const MAX_SCHEMA_BYTES: usize = 1 << 20;
/// The greatest number of arrays and objects inside each other in the text of a foreign schema.
pub const MAX_SCHEMA_NESTING: usize = 100;
/// The greatest number of schemas in a foreign schema, where the target of each `$ref` counts each time.
pub const MAX_SCHEMA_PARTS: usize = 20_000;
/// The greatest number of schemas of a foreign schema that may apply inside each other, `$ref` counted.
const MAX_INSIDE: usize = 128;

/// The greatest number of schemas inside each other that check the same parts again.
const MAX_UNEVALUATED: usize = 4;

/// Returns the check of arguments by a schema, or the reason why it cannot check them. Errors in the schema are added to
/// `violations`, unusual properties to `findings`.
pub(super) fn read(
    schema: &Schema,
    violations: &mut Violations,
    findings: &mut Vec<Finding>,
) -> Result<SchemaCheck, String> {
    let Some(root) = value(schema, violations) else {
        return Ok(SchemaCheck::object_only());
    };
    let references = references::find(&root);
    let patterns = Patterns::default();
    let parts = walk::walk(&root, &references, &patterns, violations, findings)?;
    // What is not bounded is not written either.
    if !violations.is_empty() {
        return Ok(SchemaCheck::object_only());
    }
    let bundle = bundle::bundle(&root, &references, &patterns);
    SchemaCheck::foreign(bundle, parts, &patterns)
}

/// The schema as a value, if it is one of an object and not too large to be looked into.
fn value(schema: &Schema, violations: &mut Violations) -> Option<Value> {
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
    if nesting(text) > MAX_SCHEMA_NESTING {
        return refuse(format!(
            "arrays and objects of the schema are nested more than {MAX_SCHEMA_NESTING} deep"
        ));
    }
    let value = match serde_json::from_str::<Value>(text) {
        Ok(value) => value,
        Err(error) => return refuse(format!("the schema cannot be read: {error}")),
    };
    if let Some(way) = duplicate_key(text) {
        return refuse(format!(
            "duplicate key `{}` in an object of the schema: remove one",
            pointer(&way)
        ));
    }
    if value["type"] != "object" {
        return refuse(
            "the schema describes no object: its root must say `\"type\": \"object\"`".to_owned(),
        );
    }
    Some(value)
}

/// A place in the text of the schema, from the way to it, the last step first.
fn pointer(way: &[Step]) -> String {
    let steps = way.iter().rev().map(|step| match step {
        Step::Key(key) => format!("/{}", cut(key)),
        Step::Index(index) => format!("/{index}"),
    });
    steps.fold("#".to_owned(), |pointer, step| pointer + &step)
}
