use toolwright::{ToolContext, tool};

/// Do something with the context.
#[tool]
fn act(
    #[context]
    #[tool(schemars)]
    _cx: &ToolContext,
) {
}

fn main() {}
