#![allow(dead_code, unused_variables)]

/// Say the text again.
#[toolwright::tool(crate = tw)]
async fn echo(text: String, #[tool(default)] times: u8) -> String {
    text.repeat(times.into())
}

struct Echo;

#[toolwright::tools(crate = tw)]
impl Echo {
    /// Say the text again.
    #[tool]
    fn echo(&self, text: String) -> String {
        text
    }
}

/// Say the text again.
#[derive(serde::Deserialize, toolwright::Tool)]
#[tool(crate = tw)]
struct NotFoundByAStruct {
    text: String,
}

impl toolwright::Execute for NotFoundByAStruct {
    type Output = String;
    async fn execute(self, _: &toolwright::ToolContext) -> Result<String, toolwright::ToolError> {
        Ok(self.text)
    }
}

/// A text in a wrapper.
#[derive(serde::Deserialize, toolwright::ToolInput)]
#[tool(crate = tw)]
struct Wrapper {
    text: String,
}

fn main() {}
