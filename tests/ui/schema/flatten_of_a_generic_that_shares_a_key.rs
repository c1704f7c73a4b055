use serde::Deserialize;
use toolwright::{ToolInput, tool};

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

fn main() {}
