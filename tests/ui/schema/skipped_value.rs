use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct City(#[serde(skip)] String);

fn main() {}
