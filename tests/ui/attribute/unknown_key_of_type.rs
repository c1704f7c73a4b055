use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(name = "city")]
struct City {
    name: String,
}

fn main() {}
