use toolwright::tool;

#[derive(schemars::JsonSchema)]
struct Opaque {
    value: u8,
}

/// Do something with a value.
#[tool]
fn act(#[tool(schemars)] _value: Opaque) {}

fn main() {}
