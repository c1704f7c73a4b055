//! What a model is told of tools, as a file for reviewers, and what a change looks like.
//!
//! ```text
//! cargo run -p examples --example prompt_lock
//! ```

use toolwright::{
    testing::{PromptLock, Update},
    tool, toolset,
};

/// Get the current weather for a city.
#[tool]
fn get_weather(
    /// City and country, for example "Oslo, Norway".
    #[tool(length(2..))]
    city: String,
    days: Option<u8>,
) -> String {
    format!("11 degrees in {city}, for {} days", days.unwrap_or(1))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = toolset![get_weather];
    let lock = PromptLock::new(tools.definitions());
    println!("The file of the lock:\n\n{lock}");

    // A test has one line: `assert_prompt_lock!(tools, "tests/prompt.lock")`. These are its parts.
    let folder = std::env::temp_dir().join(format!("toolwright-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let path = folder.join("prompt.lock");
    lock.check(&path, Update::Write)?;
    lock.check(&path, Update::Compare)?;

    // Somebody changes a description.
    let mut changed = tools.definitions().next().ok_or("there is a tool")?.clone();
    changed.description = "Get the weather.".into();
    match PromptLock::new([&changed]).check(&path, Update::Compare) {
        Ok(()) => println!("nothing changed"),
        Err(different) => println!("What a test says of a change:\n\n{different}"),
    }
    std::fs::remove_dir_all(&folder)?;
    println!("Shown: no change of what a model reads gets past a test unseen.");
    Ok(())
}
