#![allow(dead_code)]

// rig, rmcp: arguments that derive `JsonSchema` alone.
use toolwright::tool;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Sum {
    a: i32,
    b: i32,
}

/// Add two numbers to each other.
#[tool]
async fn add(sum: Sum) -> i32 {
    sum.a + sum.b
}

fn main() {}
