use toolwright::tool;

#[doc = concat!("a", "b")]
#[tool]
fn get_weather() {}

fn main() {}
