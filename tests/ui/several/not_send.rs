#![allow(dead_code, unused_variables)]

use std::{future::pending, rc::Rc};
use toolwright::{Execute, Tool, ToolContext, ToolError, tool, tools};

/// Get the current weather for a city.
#[tool]
async fn get_weather(city: String) -> String {
    let city = std::rc::Rc::new(city);
    std::future::ready(()).await;
    city.to_string()
}

/// Get the current weather for a city.
#[tool]
async fn borrowed_not_send(city: &str) {
    let shared = Rc::new(city);
    pending::<()>().await;
    drop(shared);
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    async fn find(&self, word: String) -> String {
        let word = std::rc::Rc::new(word);
        std::future::ready(()).await;
        word.to_string()
    }
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search { query: String }

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        let query = std::rc::Rc::new(self.query);
        std::future::ready(()).await;
        Ok(query.to_string())
    }
}

fn main() {}
