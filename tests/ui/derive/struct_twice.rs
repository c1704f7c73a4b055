#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput};

/// Get the weather in a city.
#[derive(Tool)]
struct GetWeather {
    city: String,
}

impl Execute for GetWeather {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(self.city)
    }
}

impl<'de> serde::Deserialize<'de> for GetWeather {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let city = String::deserialize(deserializer)?;
        Ok(Self { city })
    }
}

/// Get the weather of some days.
#[derive(Tool)]
struct GetWeather {
    days: u8,
}

#[derive(ToolInput)]
struct Place {
    city: String,
}

#[derive(ToolInput)]
struct Place {
    country: String,
}

fn main() {}
