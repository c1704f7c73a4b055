/// Say the text again.
#[derive(serde::Deserialize, toolwright::Tool)]
#[tool(crate = tw)]
struct Echo {
    text: String,
}

impl toolwright::Execute for Echo {
    type Output = String;
    async fn execute(self, _: &toolwright::ToolContext) -> Result<String, toolwright::ToolError> {
        Ok(self.text)
    }
}

fn main() {}
