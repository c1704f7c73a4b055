#![allow(dead_code, unused_variables)]

use toolwright::{Tool, tool, tools};

/// Get the current weather for a city.
#[tool]
fn get_weather<T>(city: T) {}

/// Get the current weather for a city.
#[tool]
fn generic_beside_a_lifetime<'a, T>(city: &'a T) {}

/// Get the current weather for a city.
#[tool]
fn impl_trait(city: impl Into<String>) {}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find<Q: ToString>(&self, word: Q) {}
}

struct ImplTrait;

#[tools]
impl ImplTrait {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, word: impl Into<String>) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search<T> { query: Vec<T> }

fn main() {}
