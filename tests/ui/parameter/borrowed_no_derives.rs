#![allow(dead_code, unused_variables)]

use toolwright::{tool, tools};

struct City;

/// Get the current weather for a city.
#[tool]
async fn get_weather(country: &str, city: &City, days: u8) {}

struct BorrowedNoDerivesOptional;

/// Get the current weather for a city.
#[tool]
fn borrowed_no_derives_optional(city: Option<&BorrowedNoDerivesOptional>) {}

struct BorrowedNoDerivesSlice;

/// Get the current weather for a city.
#[tool]
fn borrowed_no_derives_slice(cities: &[BorrowedNoDerivesSlice]) {}

struct ArgumentBorrowedNoDerives;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, city: &ArgumentBorrowedNoDerives) {}
}

fn main() {}
