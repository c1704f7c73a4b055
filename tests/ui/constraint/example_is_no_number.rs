#![allow(unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather(
    #[tool(example = f64::NAN)] latitude: f64,
    #[tool(example = [1.0, f64::INFINITY])] longitudes: Vec<f64>,
    #[tool(example = f32::NEG_INFINITY)] height: f32,
) {
}

fn main() {}
