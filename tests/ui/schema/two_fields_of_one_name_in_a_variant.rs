use serde::Deserialize;
use toolwright::ToolInput;

#[derive(Deserialize, ToolInput)]
#[serde(rename_all_fields = "lowercase")]
enum Shape {
    Circle {
        radius: f64,
        #[serde(rename = "radius")]
        width: f64,
    },
}

fn main() {}
