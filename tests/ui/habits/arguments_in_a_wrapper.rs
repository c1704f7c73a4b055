#![allow(dead_code)]

// rmcp: `Parameters<T>` around the arguments.
use toolwright::tool;

#[derive(serde::Deserialize)]
struct Parameters<T>(T);

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Sum {
    a: i32,
    b: i32,
}

/// Add two numbers to each other.
#[tool]
async fn add(Parameters(Sum { a, b }): Parameters<Sum>) -> i32 {
    a + b
}

/// Add two numbers to each other.
#[tool]
async fn add_them(sum: Parameters<Sum>) -> i32 {
    sum.0.a + sum.0.b
}

fn main() {}
