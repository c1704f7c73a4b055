#![allow(dead_code, unused_variables)]

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput};

mod text {
    pub fn deserialize<'de, D: serde::Deserializer<'de>>(_: D) -> Result<String, D::Error> {
        Ok(String::new())
    }
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    #[serde(with = "text")]
    query: String,
}

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

#[derive(ToolInput)]
struct City {
    #[serde(with = "module")]
    name: String,
}

#[derive(ToolInput)]
enum Length {
    #[serde(with = "metres")]
    Metres(u32),
}

#[derive(ToolInput)]
#[serde(try_from = "u8")]
struct Even(u8);

#[derive(ToolInput)]
enum Unit {
    Celsius,
    #[serde(other)]
    Unknown,
}

#[derive(Deserialize, ToolInput)]
enum SerdeUntaggedVariant {
    Celsius,
    #[serde(untagged)]
    Other(String),
}

fn main() {}
