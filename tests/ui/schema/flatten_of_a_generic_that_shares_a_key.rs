#![allow(dead_code, unused_variables)]

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool};

#[derive(Deserialize, ToolInput)]
struct Place {
    city: String,
}

#[derive(Deserialize, ToolInput)]
struct Outer<T> {
    city: String,
    #[serde(flatten)]
    inner: T,
}

/// Take a type that is known only here.
#[tool]
fn take(outer: Outer<Place>) {
    let _ = outer;
}

#[derive(serde::Deserialize, ToolInput)]
struct Page<T> {
    query: T,
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    query: String,
    #[serde(flatten)]
    page: Page<u8>,
}

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

#[derive(Deserialize, ToolInput)]
struct FlattenSharesAKey {
    city: String,
}

#[derive(Deserialize, ToolInput)]
struct Outer2 {
    #[serde(rename = "city")]
    town: String,
    #[serde(flatten)]
    place: FlattenSharesAKey,
}

#[derive(Deserialize, ToolInput)]
struct FlattenSharesAnAlias {
    city: String,
}

#[derive(Deserialize, ToolInput)]
struct Middle {
    #[serde(flatten)]
    place: Box<FlattenSharesAnAlias>,
}

#[derive(Deserialize, ToolInput)]
struct Outer3 {
    #[serde(flatten)]
    middle: Middle,
    #[serde(alias = "city")]
    town: String,
}

#[derive(Deserialize, ToolInput)]
struct FlattenOfTwoThatShareAKey {
    city: String,
}

#[derive(Deserialize, ToolInput)]
struct Town {
    city: String,
}

#[derive(Deserialize, ToolInput)]
struct Outer4 {
    #[serde(flatten)]
    place: FlattenOfTwoThatShareAKey,
    #[serde(flatten)]
    town: Town,
}

#[derive(Deserialize, ToolInput)]
struct TagIsAKeyOfItsData {
    city: String,
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "city")]
enum Where {
    TagIsAKeyOfItsData(TagIsAKeyOfItsData),
}

fn main() {}
