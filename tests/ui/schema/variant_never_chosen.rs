#![allow(dead_code, unused_variables)]

use std::collections::HashMap;
use serde::Deserialize;
use toolwright::ToolInput;

#[derive(serde::Deserialize, ToolInput)]
#[serde(untagged)]
enum Twice {
    Name(String),
    Title(String),
}

#[derive(serde::Deserialize, ToolInput)]
#[serde(untagged)]
enum Numbers {
    Float(f64),
    Integer(u32),
    Text(String),
    Unit(Unit),
    Letter(char),
}

#[derive(serde::Deserialize, ToolInput)]
enum Unit {
    Celsius,
    Fahrenheit,
}

#[derive(serde::Deserialize, ToolInput)]
#[serde(untagged)]
enum Query {
    ById { id: u32 },
    ByIdAndName { id: u16, name: String },
}

#[derive(serde::Deserialize, ToolInput)]
struct Id {
    id: i64,
}

#[derive(serde::Deserialize, ToolInput)]
struct Order {
    id: u32,
    amount: u32,
}

#[derive(serde::Deserialize, ToolInput)]
#[serde(untagged)]
enum Target {
    Id(Id),
    Order(Box<Order>),
}

#[derive(serde::Deserialize, ToolInput)]
#[serde(untagged)]
enum Lists {
    Maybe(Option<Vec<Option<u16>>>),
    Nothing,
    Bytes(Vec<u8>),
    Pair(u8, u8),
}

#[derive(serde::Deserialize, ToolInput)]
#[serde(untagged)]
enum Maps {
    Any(HashMap<String, serde_json::Value>),
    Target(Order),
    All(serde_json::Value),
    Unit(Unit),
}

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
enum VariantAfterOneWithoutKeys {
    Any { limit: Option<u32> },
    ById { id: u32 },
}

#[derive(Deserialize, ToolInput)]
struct Filter {
    #[serde(default)]
    limit: u32,
    word: Option<String>,
}

#[derive(Deserialize, ToolInput)]
struct Id2 {
    id: u32,
}

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
enum Target2 {
    Filter(Filter),
    Id2(Id2),
}

fn main() {}
