#![allow(dead_code)]

use toolwright::{ToolInput, runner::SubAgent};

#[derive(serde::Deserialize, ToolInput)]
struct Plan {
    steps: Vec<Plan>,
}

fn with_plan(agent: SubAgent) {
    let _ = agent.input(|plan: Plan| format!("{} steps", plan.steps.len()));
}

fn main() {}
