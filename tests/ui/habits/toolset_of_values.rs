#![allow(dead_code)]

// rig, LangChain: tools in a list, as boxes or values.
use std::sync::Arc;

use toolwright::{Runner, testing::ScriptedModel, tool, toolset};

/// Add two numbers to each other.
#[tool]
async fn add(a: i32, b: i32) -> i32 {
    a + b
}

fn boxes() {
    let _ = Runner::builder(ScriptedModel::new([])).tools(vec![Box::new(add)]);
}

fn shared() {
    let _ = Runner::builder(ScriptedModel::new([])).tools([Arc::new(add)]);
}

fn called() {
    let _ = toolset![add()];
}

fn main() {}
