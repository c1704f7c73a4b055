//! The facade under another name, said with `crate = …`.

#![deny(warnings)]

/// The facade under another name, as a crate that re-exports it has it.
mod reexported {
    pub(crate) use toolwright as tw;
}

use reexported::tw;

/// A text in a wrapper.
#[derive(serde::Deserialize, tw::ToolInput)]
#[tool(crate = crate::allowed::renamed_dependency::reexported::tw)]
struct Wrapper {
    text: String,
}

/// Say the text again.
#[tw::tool(crate = crate::allowed::renamed_dependency::reexported::tw)]
async fn echo(wrapper: Wrapper, #[tool(default)] times: u8) -> Result<String, tw::ToolError> {
    Ok(wrapper.text.repeat(times.into()))
}

#[test]
fn is_found() {
    assert_eq!(tw::toolset![echo].len(), 1);
}
