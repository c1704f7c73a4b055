/// A text in a wrapper.
#[derive(serde::Deserialize, toolwright::ToolInput)]
#[tool(crate = tw)]
struct Wrapper {
    text: String,
}

fn main() {}
