//! Definitions and calls of a leaderboard of function calling.

mod leniency;

use serde_json::Value;

use crate::foreign::{load, refusal};

pub(crate) fn check(record: &Value) {
    let tools = record["tools"].as_array().expect("there are tools");
    let load = |tool: &Value| {
        let text = |key: &str| tool[key].as_str().unwrap_or_default();
        (
            text("name").to_owned(),
            load(text("name"), text("description"), &tool["parameters"]),
        )
    };
    let tools: Vec<_> = tools.iter().map(load).collect();
    for call in record["ground_truth"].as_array().into_iter().flatten() {
        let (_, tool) = tools
            .iter()
            .find(|(name, _)| call["name"] == **name)
            .expect("the call is of a tool");
        let refusal = refusal(tool, &call["example_arguments"]);
        assert_eq!(
            refusal.is_none(),
            call["example_valid"] == true,
            "{call}: {refusal:?}"
        );
        if refusal.is_none() {
            leniency::check(tool, &call["example_arguments"]);
        }
    }
}
