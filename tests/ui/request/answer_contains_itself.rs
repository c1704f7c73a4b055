#![allow(dead_code)]

use toolwright::{Runner, ToolInput};

#[derive(serde::Deserialize, ToolInput)]
struct Comment {
    text: String,
    answers: Vec<Comment>,
}

#[derive(serde::Deserialize, ToolInput)]
struct Page<T> {
    items: Vec<T>,
    next: Option<Box<Page<T>>>,
}

#[derive(serde::Deserialize, ToolInput)]
enum Filter {
    Equals { key: String },
    Not(Box<Filter>),
    Both(Box<Filter>, Box<Filter>),
}

#[derive(serde::Deserialize, ToolInput)]
struct Found {
    by: Option<Filter>,
    by_another: (u8, [Filter; 2]),
}

async fn ask(runner: &Runner) {
    let _ = runner.request("Which comment?").answer_as::<Comment>().run().await;
    let _ = runner.request("Which page?").answer_as::<Page<u8>>().run().await;
    let _ = runner.request("Which ones?").answer_as::<Vec<Found>>().run().await;
}

fn main() {}
