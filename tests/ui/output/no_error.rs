#![allow(dead_code, unused_variables)]

use toolwright::{ToolError, tool, tools};

struct Failed;

/// Get the current weather for a city.
#[tool]
async fn get_weather() -> Result<String, Failed> {
    Err(Failed)
}

struct NoErrorInAnInnerResult;

/// Get the current weather for a city.
#[tool]
fn no_error_in_an_inner_result() -> Result<Result<String, NoErrorInAnInnerResult>, ToolError> {
    Ok(Err(NoErrorInAnInnerResult))
}

/// Get the current weather for a city.
#[tool]
fn error_in_a_box_of_one_thread() -> Result<(), Box<dyn std::error::Error>> {
    Ok(())
}

struct OutputNoError;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) -> Result<String, OutputNoError> {
        Err(OutputNoError)
    }
}

fn main() {}
