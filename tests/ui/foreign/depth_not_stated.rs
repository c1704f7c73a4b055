use toolwright::tool;

/// Do something with a value.
#[tool]
fn act(#[tool(schemars(deep = 3))] _value: u8, #[tool(schemars = 3)] _other: u8) {}

fn main() {}
