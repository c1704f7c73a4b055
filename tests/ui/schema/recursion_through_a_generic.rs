#![allow(unused_variables)]

use serde::Deserialize;
use toolwright::{ToolInput, tool};

#[derive(Deserialize, ToolInput)]
struct Page<T> {
    items: Vec<T>,
}

#[derive(Deserialize, ToolInput)]
struct Comment {
    text: String,
    answers: Option<Box<Page<Comment>>>,
}

/// Post a comment on the page.
#[tool]
fn post(comment: Comment) {}

fn main() {}
