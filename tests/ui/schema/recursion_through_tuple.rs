use serde::Deserialize;
use toolwright::{ToolInput, tool};

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
enum Expression {
    Number(f64),
    Sum(Box<(Expression, Expression)>),
}

/// Calculate the value of an expression.
#[tool]
fn calculate(expression: Expression) {
    let _ = expression;
}

fn main() {}
