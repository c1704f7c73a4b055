//! The main job in one file: functions become tools, a model calls several of them at once, reads
//! the results, calls another, and answers.
//!
//! ```text
//! cargo run -p examples --example quickstart                                  offline, no key
//! OPENAI_API_KEY=… cargo run -p examples --example quickstart -- --live       OpenAI
//! ```
//!
//! Offline, a small server on loopback plays the model: it speaks OpenAI's wire format, so that the
//! real codec and the real transport run. With `--live`, `OPENAI_BASE_URL` and `OPENAI_MODEL` choose
//! another server and another model. Nothing is sent to anybody without `--live`.

mod offline;

use std::{process::ExitCode, time::Duration};

use serde::{Deserialize, Serialize};
use toolwright::{OpenAiChat, Runner, ToolError, ToolInput, runner::Printer, tool, toolset};

/// The weather of one city.
#[derive(Serialize, Deserialize, ToolInput)]
struct Weather {
    /// The name of the city.
    city: String,
    /// Degrees Celsius.
    celsius: f64,
    /// What the sky looks like.
    sky: Sky,
}

/// What the sky looks like.
#[derive(Clone, Copy, Serialize, Deserialize, ToolInput)]
#[serde(rename_all = "snake_case")]
enum Sky {
    Sunny,
    Cloudy,
    Rainy,
}

/// Get the weather in a city as it is now.
#[tool]
async fn get_weather(
    /// The city, for example "Oslo".
    city: String,
) -> Result<Weather, ToolError> {
    let (celsius, sky) = match city.as_str() {
        "Oslo" => (4.0, Sky::Rainy),
        "Cairo" => (31.5, Sky::Sunny),
        "Lima" => (19.0, Sky::Cloudy),
        _ => {
            return Err(ToolError::not_found(format!(
                "no weather station in {city}"
            )));
        }
    };
    // Stands for a slow service, so that you can see the calls run side by side.
    tokio::time::sleep(Duration::from_millis(300)).await;
    Ok(Weather { city, celsius, sky })
}

/// Say what to wear for each of several places, from their weather.
#[tool]
fn suggest_clothes(
    /// The weather of each place.
    places: Vec<Weather>,
) -> Vec<String> {
    let clothes = |weather: &Weather| match (weather.sky, weather.celsius) {
        (Sky::Rainy, _) => "a raincoat",
        (_, celsius) if celsius > 25.0 => "a hat",
        _ => "a jacket",
    };
    places
        .iter()
        .map(|weather| format!("{}: {}", weather.city, clothes(weather)))
        .collect()
}

#[tokio::main]
async fn main() -> ExitCode {
    match ask().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn ask() -> Result<(), Box<dyn std::error::Error>> {
    let live = std::env::args().any(|argument| argument == "--live");
    let model = if live {
        let name = std::env::var("OPENAI_MODEL").unwrap_or_else(|_| "gpt-5.1-mini".into());
        OpenAiChat::from_env(name)?
    } else {
        OpenAiChat::new("offline", "no key").with_base_url(offline::serve().await?)
    };

    let runner = Runner::builder(model)
        .system("Look the weather up. Ask for several cities at once. Be brief.")
        .tools(toolset![get_weather, suggest_clothes])
        .build()?;

    let question = "What should I wear today in Oslo, Cairo and Lima?";
    println!("You: {question}");
    Printer::stdout().run(runner.start(question)).await?;
    if !live {
        println!("\nThis was offline. With --live and OPENAI_API_KEY a real model answers.");
    }
    println!("Shown: functions became tools, and a model called them, three at once.");
    Ok(())
}
