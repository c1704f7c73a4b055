#![allow(dead_code, unused_variables)]

use std::borrow::Cow;
use toolwright::{tool, tools};

/// Get the current weather for a city.
#[tool]
fn get_weather(city: &'static str) {}

/// Get the current weather for a city.
#[tool]
fn borrowed_static_inside(city: Cow<'static, str>) {}

/// Get the current weather for a city.
#[tool]
fn lifetime_bound_to_static<'a: 'static>(city: &'a str) -> String {
    city.to_owned()
}

/// Get the current weather for another city.
#[tool]
fn get_more<'a>(city: &'a str) -> String
where
    'a: 'static,
{
    city.to_owned()
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, name: &'static str) {}
}

struct ArgumentBorrowedStaticInside;

#[tools]
impl ArgumentBorrowedStaticInside {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, city: Option<&'static str>) {}
}

fn main() {}
