#![allow(dead_code)]

use toolwright::{ToolInput, tools};

#[derive(serde::Deserialize, ToolInput)]
struct Held {
    #[serde(skip)]
    shared: Option<std::rc::Rc<u8>>,
}

struct Desk;

#[tools]
impl Desk {
    /// Count what is held.
    #[tool]
    async fn count(&self, held: Held) {
        std::future::ready(()).await;
        drop(held);
    }
}

fn main() {}
