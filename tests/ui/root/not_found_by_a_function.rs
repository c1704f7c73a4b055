/// Say the text again.
#[toolwright::tool(crate = tw)]
async fn echo(text: String, #[tool(default)] times: u8) -> String {
    text.repeat(times.into())
}

fn main() {}
