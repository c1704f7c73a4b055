use toolwright::{ToolInput, tool};

#[derive(serde::Deserialize, ToolInput)]
struct Holder {
    #[tool(schemar)]
    value: u8,
}

/// Do something with a value.
#[tool]
fn act(#[tool(schema)] _value: u8, _holder: Holder) {}

fn main() {}
