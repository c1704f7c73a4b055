use toolwright::tool;

///
///   
#[tool]
fn get_weather() {}

fn main() {}
