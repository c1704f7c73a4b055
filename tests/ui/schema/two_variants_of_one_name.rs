use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
enum Unit {
    Celsius,
    #[serde(rename = "Celsius")]
    Fahrenheit,
}

fn main() {}
