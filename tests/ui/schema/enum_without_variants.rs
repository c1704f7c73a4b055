use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Never {}

fn main() {}
