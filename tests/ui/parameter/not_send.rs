#![allow(dead_code, unused_variables)]

use std::{cell::Cell, rc::Rc};
use toolwright::{ToolInput, tool, tools};

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

#[derive(serde::Deserialize, ToolInput)]
struct NotSendInside {
    #[serde(skip)]
    shared: Option<Rc<u8>>,
}

#[derive(serde::Deserialize, ToolInput)]
struct Counted {
    #[serde(skip)]
    count: Cell<u8>,
}

/// Count what is held.
#[tool]
async fn count(held: Vec<Option<NotSendInside>>, counted: &[Counted]) {
    std::future::ready(()).await;
}

#[derive(serde::Deserialize, ToolInput)]
struct ArgumentNotSend {
    #[serde(skip)]
    shared: Option<std::rc::Rc<u8>>,
}

struct Desk;

#[tools]
impl Desk {
    /// Count what is held.
    #[tool]
    async fn count(&self, held: ArgumentNotSend) {
        std::future::ready(()).await;
        drop(held);
    }
}

fn main() {}
