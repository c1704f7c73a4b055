use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct City {
    #[tool(default)]
    name: String,
}

fn main() {}
