use toolwright::{ToolInput, tool};

#[derive(serde::Deserialize, ToolInput)]
struct Holder {
    #[tool(schemars(depth = 9))]
    value: Option<u8>,
}

/// Do something with a value.
#[tool]
fn act(_holder: Holder) {}

fn main() {}
