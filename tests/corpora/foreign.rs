//! Loads a definition and calls the tool.

use serde_json::Value;
use toolwright::{
    Dispatch, ErrorCategory, Tool, ToolCall, ToolContext, ToolDefinition, ToolError, Toolset,
    dynamic::DynamicTool, schema::Schema,
};

/// The tool of a definition, whose schema is kept and whose name can be read back.
pub(crate) fn load(name: &str, description: &str, schema: &Value) -> DynamicTool {
    let text = schema.to_string();
    let input = Schema::from_text(text.as_str()).expect("is JSON");
    let definition = ToolDefinition::new(name.to_owned(), description.to_owned(), input);
    let expected = name.to_owned();
    let tool = DynamicTool::foreign(definition, move |call: ToolCall, _cx| {
        assert_eq!(call.name, expected);
        async { Ok::<_, ToolError>("accepted") }
    })
    .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(tool.original_name(), name);
    assert_eq!(tool.definition().input_schema.as_str(), text);
    let is_place = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let is_kept = (1..=64).contains(&name.len()) && name.bytes().all(is_place);
    assert_eq!(
        tool.definition().name == name,
        is_kept,
        "{:?}",
        tool.findings()
    );
    assert!(
        !tool
            .findings()
            .iter()
            .any(|finding| finding.to_string().contains("not checked")),
        "{:?}",
        tool.findings()
    );
    tool
}

/// What the model would be told of a call, if it is refused.
pub(crate) fn refusal(tool: &DynamicTool, arguments: &Value) -> Option<String> {
    let tools = Toolset::new()
        .with(tool.clone())
        .expect("every provider takes the name");
    let call = ToolCall::new("1", &*tool.definition().name, arguments.to_string());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("it needs nothing");
    let result = runtime.block_on(tools.call(&call, &ToolContext::default()));
    match result.outcome {
        Ok(output) => {
            assert_eq!(output.to_text(), "accepted");
            None
        }
        Err(error) => {
            assert_eq!(error.category, ErrorCategory::InvalidArguments, "{error:?}");
            assert!(error.message.starts_with("arguments"), "{error:?}");
            Some(error.message)
        }
    }
}
