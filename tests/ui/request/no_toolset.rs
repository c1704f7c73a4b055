use toolwright::{runner::RunnerBuilder, tool, tools};

/// Find products by a word in their name.
#[tool]
fn find(word: String) -> String {
    word
}

struct Shop;

#[tools]
impl Shop {
    /// Count the products of the shop.
    #[tool]
    fn count(&self) {}
}

fn function(builder: RunnerBuilder) -> RunnerBuilder {
    builder.tools(find)
}

fn list(builder: RunnerBuilder) -> RunnerBuilder {
    builder.tools(vec![find])
}

fn value(builder: RunnerBuilder) -> RunnerBuilder {
    builder.tools(Shop)
}

fn main() {}
