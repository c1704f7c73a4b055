#![allow(dead_code, unused_variables)]

use toolwright::{tool, tools};

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(default = 50, range(1..=20))] value: u8) {}

const SOON: &str = "soon";

/// Book a table in a restaurant.
#[tool]
fn book_table(
    #[tool(format = "date", default = "tomorrow")] day: &str,
    #[tool(format = "date", default = SOON)] until: &str,
    #[tool(format = "date", default = "tomorrow".to_owned())] from: String,
    #[tool(format = "email", default = Some(String::from("ada")))] guest: Option<String>,
) {
}

const MOST: u8 = 50;

static STEP: i64 = -1;

struct Limits;

impl Limits {
    const LEAST: u16 = 0;
}

/// Get the current weather for a city.
#[tool]
fn default_constant_outside_the_range(
    #[tool(default = MOST, range(1..=20))] days: u8,
    #[tool(default = Some(Limits::LEAST), range(1..))] least: Option<u16>,
    #[tool(default = (MOST as u32), range(..50))] cast: u32,
    #[tool(default = u8::MAX, range(..255))] all: u8,
    #[tool(default = STEP, range(1..))] step: i64,
    #[tool(default = f64::NAN, range(0.0..1.0))] share: f64,
) {
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[tool(default = 50, range(1..=20))] value: u8) {}
}

struct DefaultConstantOutsideTheRangeInAMethod;

#[tools]
impl DefaultConstantOutsideTheRangeInAMethod {
    const MOST: u8 = 50;

    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[tool(range(1..=5), default = Self::MOST)] value: u8) {}
}

fn main() {}
