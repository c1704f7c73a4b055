#![allow(dead_code, unused_variables)]

use toolwright::{ToolContext, tool, tools};

/// Get the current weather for a city.
#[tool]
async fn get_weather(#[context] cx: &mut ToolContext) {}

struct Db;

/// Store a note in the database.
#[tool]
async fn store(#[context] db: &mut Db, note: String) {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[context] cx: &mut ToolContext) {}
}

struct ExtensionBorrowedMutably;

struct Shop2;

#[tools]
impl Shop2 {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[context] db: &mut ExtensionBorrowedMutably, word: String) {}
}

fn main() {}
