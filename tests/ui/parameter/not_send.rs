#![allow(dead_code, unused_variables)]

use toolwright::{ToolInput, tool};

#[derive(serde::Deserialize, ToolInput)]
struct Held {
    number: u8,
    #[serde(skip)]
    shared: Option<std::rc::Rc<u8>>,
}

/// Get the current weather for a city.
#[tool]
async fn get_weather(held: Held) {
    std::future::ready(()).await;
    drop(held);
}

fn main() {}
