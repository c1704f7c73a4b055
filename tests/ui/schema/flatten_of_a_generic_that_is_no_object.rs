use serde::Deserialize;
use toolwright::{ToolInput, tool};

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

fn main() {}
