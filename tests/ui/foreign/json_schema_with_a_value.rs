use toolwright::ToolInput;

#[derive(serde::Deserialize, ToolInput)]
#[tool(json_schema = true)]
struct Holder {
    value: u8,
}

fn main() {}
