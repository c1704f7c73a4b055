#![allow(unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather(
    #[tool(range(-1e39..=1e39))] latitude: f32,
    #[tool(range(..1e200))] longitude: Option<f32>,
    #[tool(example = 1e40)] height: f32,
    #[tool(example = 0)] offset: std::num::NonZeroI8,
    #[tool(length(2..), example = 'x')] code: String,
) {
}

fn main() {}
