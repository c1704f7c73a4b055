use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
struct City(String);

fn main() {}
