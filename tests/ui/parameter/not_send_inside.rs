#![allow(dead_code, unused_variables)]

use std::{cell::Cell, rc::Rc};

use toolwright::{ToolInput, tool};

#[derive(serde::Deserialize, ToolInput)]
struct Held {
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
async fn count(held: Vec<Option<Held>>, counted: &[Counted]) {
    std::future::ready(()).await;
}

fn main() {}
