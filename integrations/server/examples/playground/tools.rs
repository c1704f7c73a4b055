//! Tools of each kind: such that read, fail, tell how far they are, write, ask the traveller, and need an approval.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use tokio::time::sleep;
use toolwright::{
    ErrorCategory, ToolContext, ToolError, ToolInput,
    approval::Decision,
    schema::Schema,
    tool,
    tool::{Json, Progress, Question},
};

/// The weather of one city.
#[derive(Serialize, Deserialize, ToolInput)]
pub(crate) struct Weather {
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
#[tool(read_only)]
pub(crate) async fn get_weather(
    /// The city: "Oslo", "Cairo" or "Lima".
    city: String,
) -> Result<Json<Weather>, ToolError> {
    let (celsius, sky, millis) = match city.as_str() {
        "Oslo" => (4.0, Sky::Rainy, 900),
        "Cairo" => (31.5, Sky::Sunny, 1_400),
        "Lima" => (19.0, Sky::Cloudy, 600),
        _ => {
            let message = format!("no weather station in {city}");
            return Err(ToolError::not_found(message).with_log(format!("unknown city {city:?}")));
        }
    };
    // Stands for a slow service, so that you can see the calls run side by side.
    sleep(Duration::from_millis(millis)).await;
    Ok(Json(Weather { city, celsius, sky }))
}

/// Say what to wear for each of several places, from their weather.
#[tool(read_only)]
pub(crate) async fn suggest_clothes(
    /// The weather of each place.
    places: Vec<Weather>,
) -> Vec<String> {
    sleep(Duration::from_millis(500)).await;
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

/// Measure how clean the air of a city is. It takes some seconds, and fails at times.
#[tool(read_only, timeout = "20s")]
pub(crate) async fn measure_air(
    /// The city.
    city: String,
    #[context] progress: Progress,
) -> Result<String, ToolError> {
    /// Every other measurement fails, so that there is one to be seen that is made again.
    static FAILS: AtomicBool = AtomicBool::new(true);

    for (step, what) in [(1, "drawing a sample"), (2, "counting"), (3, "comparing")] {
        progress.step(step, 3, what);
        sleep(Duration::from_millis(350)).await;
        if step == 2 && FAILS.fetch_xor(true, Ordering::Relaxed) {
            let message = "the instrument did not answer";
            return Err(ToolError::new(ErrorCategory::NetworkError, message));
        }
    }
    Ok(format!("The air of {city} is clean."))
}

/// Make a list of what goes into a bag.
#[tool(read_only)]
pub(crate) async fn pack_bag(
    /// The number of days.
    #[tool(range(1..=30))]
    days: u32,
    /// Things that are taken along in any case.
    #[tool(default)]
    extras: Vec<String>,
) -> Vec<String> {
    sleep(Duration::from_millis(1_100)).await;
    let mut things = vec![format!("{days} shirts"), "a toothbrush".to_owned()];
    things.extend(extras);
    things
}

/// Write a note into the diary of the trip.
#[tool]
pub(crate) fn note(
    /// The text of the note.
    text: String,
) -> String {
    format!("noted: {text}")
}

/// Book a seat on a train. Somebody has to approve it.
#[tool(approval)]
pub(crate) async fn book_seat(
    /// The city where the train goes.
    #[tool(example = "Bergen")]
    to: String,
    /// The time when it leaves, such as "12:03".
    time: String,
    #[context] progress: Progress,
) -> String {
    for (step, what) in [(1, "asking for a seat"), (2, "paying")] {
        progress.step(step, 2, what);
        sleep(Duration::from_millis(300)).await;
    }
    format!("seat 14 on the {time} to {to}")
}

/// What the traveller is asked for a meal.
const MEAL: &str = r#"{
    "type": "object",
    "properties": {
        "dish": {"type": "string", "enum": ["soup", "stew", "salad"], "title": "Dish", "description": "All are warm but the salad."},
        "portions": {"type": "integer", "minimum": 1, "maximum": 4, "title": "Portions", "default": 1},
        "wishes": {"type": "string", "title": "Wishes"}
    },
    "required": ["dish", "portions"]
}"#;

/// What the traveller answers.
#[derive(Deserialize)]
struct Meal {
    dish: String,
    portions: u8,
    wishes: Option<String>,
}

/// Order a meal on a train. It asks the traveller which one, and then for a consent at an address.
#[tool]
pub(crate) async fn order_meal(
    /// The city where the train goes.
    to: String,
    #[context] cx: &ToolContext,
) -> Result<String, ToolError> {
    let message = format!(
        "What would you like to eat on the train to {to}?\nThe kitchen <b>closes</b> at nine."
    );
    let question = Question::form(message, Schema::from_text(MEAL)?);
    let Decision::ApproveWith { arguments } = cx.ask("meal", question).await? else {
        return Ok("The traveller does not want a meal.".to_owned());
    };
    let meal: Meal = serde_json::from_str(&arguments)?;
    // What looks like the host stands before the `@`.
    let address = "https://kitchen.example@menu.invalid/allergens";
    let question = Question::url("Have you read the list of allergens?", address);
    if matches!(cx.ask("allergens", question).await?, Decision::Deny { .. }) {
        return Ok("The traveller has not read the list of allergens.".to_owned());
    }
    let wishes = meal.wishes.unwrap_or_else(|| "no wishes".to_owned());
    Ok(format!("{} times {}, {wishes}", meal.portions, meal.dish))
}
