//! What is asked of any text: no panic, a bounded answer, and an answer that holds.

use std::{borrow::Cow, collections::BTreeMap};

use toolwright::{
    Dispatch, ErrorCategory, ToolCall, ToolContext, ToolDefinition, ToolError, ToolInput,
    arguments::{Leniency, repair_json},
    dynamic::DynamicTool,
    schema::Schema,
    tool,
    tool::Effects,
    toolset,
};

/// How many characters a model is told at most of wrong arguments.
const TOLD: usize = 1_000;
/// How many changes are told at most.
const CHANGES: usize = 64;

#[derive(Debug, serde::Deserialize, ToolInput)]
#[allow(dead_code, reason = "only what decodes matters")]
enum Shape {
    Point,
    Circle { radius: f64 },
    Pair(i64, Option<u8>),
}

/// Draws a shape on a canvas.
#[tool]
async fn draw(
    /// The shape.
    shape: Shape,
    /// Other names of it.
    names: BTreeMap<String, Vec<char>>,
    /// How often.
    #[tool(default, range(1..=9))]
    times: u8,
) -> String {
    format!("{shape:?} {names:?} {times}")
}

/// Any text as the arguments of a declared tool.
pub(crate) fn arguments(text: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("it needs nothing");
    let call = ToolCall::new("1", "draw", text);
    let result = runtime.block_on(toolset![draw].call(&call, &ToolContext::default()));
    if let Err(error) = result.outcome {
        assert_eq!(
            error.category,
            ErrorCategory::InvalidArguments,
            "{text:?}: {error:?}"
        );
        assert!(error.message.chars().count() <= TOLD, "{error}");
    }
    let _ = call.decode::<serde_json::Value>();
}

/// Any text as what is nearly JSON.
pub(crate) fn repair(text: &str) {
    match repair_json(text) {
        Ok(repaired) => {
            let json = serde_json::from_str::<serde_json::Value>(&repaired.text);
            assert!(json.is_ok(), "{text:?} gives {}", repaired.text);
            assert!(repaired.changes.len() <= CHANGES, "{:?}", repaired.changes);
            // A control character becomes an escape of six, and brackets are closed.
            assert!(repaired.text.len() <= text.len() * 6 + 256);
            let is_same = matches!(repaired.text, Cow::Borrowed(same) if same == text);
            assert_eq!(is_same, json_reads(text), "{text:?}");
            let again = repair_json(&repaired.text).expect("is JSON");
            assert_eq!(
                (again.text, again.changes),
                (Cow::Borrowed(&*repaired.text), vec![])
            );
        }
        Err(error) => {
            assert!(!json_reads(text), "{text:?}: {error}");
            assert!(error.to_string().chars().count() <= 2 * TOLD, "{error}");
        }
    }
}

fn json_reads(text: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(text).is_ok()
}

/// A schema, a line end, and the arguments.
pub(crate) fn coercion(text: &str) {
    let (schema, arguments) = text.split_once('\n').unwrap_or((text, "{}"));
    let Ok(schema) = Schema::from_text(schema) else {
        return;
    };
    let definition = ToolDefinition::new("any", "Any.", schema);
    let call = ToolCall::new("1", "any", arguments);
    for effects in [Effects::Write, Effects::ReadOnly] {
        let prepared = Leniency::On.prepare(&call, &definition, effects);
        assert_eq!(
            prepared.changes.is_empty(),
            prepared.call.arguments == arguments
        );
        assert!(
            prepared.changes.len() <= 2 * CHANGES,
            "{:?}",
            prepared.changes
        );
        assert!(prepared.call.arguments.len() <= arguments.len() * 6 + 256);
        if !prepared.changes.is_empty() {
            assert!(json_reads(&prepared.call.arguments), "{text:?}");
        }
    }
}

/// Any text as the schema of a foreign tool.
pub(crate) fn schema(text: &str) {
    let Ok(schema) = Schema::from_text(text) else {
        return;
    };
    let definition = ToolDefinition::new("any", "Any.", schema);
    let run = |_: ToolCall, _: ToolContext| async { Ok::<_, ToolError>(()) };
    match DynamicTool::foreign(definition, run) {
        Ok(tool) => assert!(tool.findings().len() <= 10_000),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
