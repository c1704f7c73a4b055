use toolwright::tool;

#[derive(serde::Deserialize)]
struct Opaque;

/// Do something with a value.
#[tool]
fn act(#[tool(schemars)] _value: Option<Opaque>, #[tool(schemars, default = 3)] _times: u8) {}

fn main() {}
