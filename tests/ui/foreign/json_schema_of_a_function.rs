use toolwright::tool;

/// Do something with a value.
#[tool(json_schema)]
fn act(_value: u8) {}

fn main() {}
