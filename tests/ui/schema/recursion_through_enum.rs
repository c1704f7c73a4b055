use serde::Deserialize;
use toolwright::{ToolInput, tool};

#[derive(Deserialize, ToolInput)]
enum Filter {
    Equals { key: String },
    Not(Box<Filter>),
}

/// Find what the filter lets through.
#[tool]
fn find(filter: Filter) {
    let _ = filter;
}

fn main() {}
