use toolwright::tool;

struct Shop;

#[tool]
impl Shop {}

fn main() {}
