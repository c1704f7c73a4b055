use std::{future::pending, rc::Rc};

use toolwright::tool;

/// Get the current weather for a city.
#[tool]
async fn get_weather(city: &str) {
    let shared = Rc::new(city);
    pending::<()>().await;
    drop(shared);
}

fn main() {}
