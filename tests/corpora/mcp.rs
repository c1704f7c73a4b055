//! Tools that real MCP servers list, with arguments that fit and that do not.

use serde_json::Value;

use crate::foreign::{load, refusal};

pub(crate) fn check(record: &Value) {
    let text = |key: &str| record[key].as_str().unwrap_or_default();
    let tool = load(text("name"), text("description"), &record["input_schema"]);
    let instances = record["instances"].as_array().expect("there are instances");
    assert!(!instances.is_empty());
    for instance in instances {
        let refusal = refusal(&tool, &instance["value"]);
        assert_eq!(
            refusal.is_none(),
            instance["valid"] == true,
            "{instance}: {refusal:?}"
        );
    }
}
