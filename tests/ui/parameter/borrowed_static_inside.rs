#![allow(unused_variables)]

use std::borrow::Cow;

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
fn get_weather(city: Cow<'static, str>) {}

fn main() {}
