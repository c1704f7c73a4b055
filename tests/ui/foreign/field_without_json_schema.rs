use toolwright::{ToolInput, tool};

#[derive(serde::Deserialize)]
struct Opaque;

#[derive(serde::Deserialize, ToolInput)]
struct Holder {
    #[tool(schemars)]
    value: Opaque,
}

/// Do something with a value.
#[tool]
fn act(_holder: Holder) {}

fn main() {}
