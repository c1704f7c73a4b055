#![allow(unused_variables)]

use toolwright::tool;

const MOST: u8 = 50;
static STEP: i64 = -1;

struct Limits;

impl Limits {
    const LEAST: u16 = 0;
}

/// Get the current weather for a city.
#[tool]
fn get_weather(
    #[tool(default = MOST, range(1..=20))] days: u8,
    #[tool(default = Some(Limits::LEAST), range(1..))] least: Option<u16>,
    #[tool(default = (MOST as u32), range(..50))] cast: u32,
    #[tool(default = u8::MAX, range(..255))] all: u8,
    #[tool(default = STEP, range(1..))] step: i64,
    #[tool(default = f64::NAN, range(0.0..1.0))] share: f64,
) {
}

fn main() {}
