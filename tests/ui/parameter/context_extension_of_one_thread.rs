use std::rc::Rc;
use toolwright::{tool, tool::ExtensionRef};

/// Get the weather in a city.
#[tool]
fn get_weather(#[context] _db: ExtensionRef<'_, Rc<u8>>) {}

fn main() {}
