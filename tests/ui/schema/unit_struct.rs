use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Nothing;

fn main() {}
