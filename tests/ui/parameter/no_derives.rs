#![allow(dead_code, unused_variables)]

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

struct City;

/// Get the current weather for a city.
#[tool]
async fn get_weather(country: String, city: City, days: u8) {}

struct NoDerivesInsideVec;

/// Get the current weather for a city.
#[tool]
fn no_derives_inside_vec(cities: Vec<NoDerivesInsideVec>) {}

macro_rules! declare {
    ($($name:ident)*) => {$(
        #[derive(serde::Deserialize, ToolInput)]
        struct $name {}
    )*};
}

declare!(A B C D E F G H I J);

struct Opaque;

/// Get the weather in a city.
#[tool]
fn inside_among_many(_city: Vec<Option<Opaque>>) {}

#[derive(serde::Deserialize)]
struct NoToolInput {
    name: String,
}

/// Get the current weather for a city.
#[tool]
async fn no_tool_input(city: NoToolInput) {}

enum Unit {
    Celsius,
}

/// Get the current weather for a city.
#[tool]
fn unit_without_derives_in_option(unit: Option<Unit>) {}

#[derive(Deserialize, ToolInput)]
struct Outer<T> {
    city: String,
    #[serde(flatten)]
    inner: T,
}

/// Take a type that is known only here.
#[tool]
fn take(outer: Outer<u8>) {
    let _ = outer;
}

struct Query;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    async fn find(&self, query: Query) {}
}

#[derive(Default, serde::Deserialize)]
struct FieldWithoutSchema;

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    #[serde(skip_deserializing)]
    skipped: FieldWithoutSchema,
    query: Vec<FieldWithoutSchema>,
}

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

#[derive(ToolInput)]
struct Query2 {
    text: String,
    since: std::time::Instant,
}

struct FieldAndDepthAtOnce;

#[derive(ToolInput)]
struct First {
    opaque: FieldAndDepthAtOnce,
}

#[derive(Deserialize, ToolInput)]
struct Second {
    again: Vec<Second>,
}

/// Take one that cannot be and one that never ends.
#[tool]
fn field_and_depth_at_once(second: Second) {}

type Name<'a> = &'a str;

#[derive(Deserialize, ToolInput)]
struct BorrowedByAlias<'a> {
    #[serde(borrow)]
    name: Name<'a>,
}

fn main() {}
