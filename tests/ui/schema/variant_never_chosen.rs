#![allow(dead_code)]

use std::collections::HashMap;

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

fn main() {}
