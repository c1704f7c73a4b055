#![allow(unused_variables)]

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
async fn get_weather(city: String) -> String {
    let city = std::rc::Rc::new(city);
    std::future::ready(()).await;
    city.to_string()
}

fn main() {}
