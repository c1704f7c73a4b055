//! Settings of a request in the form of this API, and warnings about those that it does not support.

use serde_json::{Map, Value, json};
use toolwright_core::model::{ModelRequest, ModelSettings, ToolChoice, Warning};

use super::{
    generation::{self, Thinks},
    tools::provider_tool,
};
use crate::codec::{body_input::BodyInput, encode_input::EncodeInput, provider_tools};

/// The settings of a request, as they are sent.
#[derive(Debug)]
pub(super) struct Settings {
    /// The fields of `generationConfig`.
    pub(super) generation: Map<String, Value>,
    /// The fields of `toolConfig`.
    pub(super) tools: Map<String, Value>,
}

/// The maximum number of stop sequences that the API accepts.
const MOST_STOP_SEQUENCES: usize = 5;

impl Settings {
    pub(super) fn of(asked: BodyInput<'_>) -> Self {
        let settings = &asked.request.settings;
        let mut generation = Map::new();
        let mut put = |name: &str, value: Option<Value>| {
            generation.extend(value.map(|value| (name.to_owned(), value)));
        };
        put("temperature", settings.temperature.map(Value::from));
        put(
            "maxOutputTokens",
            settings.max_output_tokens.map(Value::from),
        );
        let stop: Vec<_> = stop_sequences(settings).collect();
        put("stopSequences", (!stop.is_empty()).then(|| stop.into()));
        put("seed", seed(settings).map(Value::from));
        let effort = settings.reasoning_effort.as_deref();
        put(
            "thinkingConfig",
            effort.and_then(|effort| thinking(effort, asked.model).0),
        );
        let json = asked.answer.map(|_| "application/json".into());
        put("responseMimeType", json);
        let calling = calling(asked).map(|config| ("functionCallingConfig".to_owned(), config));
        let mut tools: Map<_, _> = calling.into_iter().collect();
        let runs_some = provider_tools::has_any(asked.request, provider_tool);
        if runs_some && has_tools(asked.request) && asked.request.tool_choice != ToolChoice::None {
            // Both kinds in one request have to be asked for (ai.google.dev, "Tool combination").
            tools.insert("includeServerSideToolInvocations".to_owned(), true.into());
        }
        Self { generation, tools }
    }
}

/// Returns the reason why a request is refused: before Gemini 3 the API takes no "Tool use with function calling".
pub(super) fn refuses(input: EncodeInput<'_>) -> Option<String> {
    let EncodeInput { model, request, .. } = input;
    let has_both = !request.tools.is_empty()
        && request.tool_choice != ToolChoice::None
        && provider_tools::has_any(request, provider_tool);
    (has_both && generation::is_before_3(model)).then(|| {
        format!(
            "`{model}` takes no tools of the provider beside functions, which Gemini does from version 3 on; leave one of \
             the two out"
        )
    })
}

/// Returns warnings about the parts of a request that this API does not support, and about what is done
/// instead.
pub(super) fn warnings(input: EncodeInput<'_>) -> Vec<Warning> {
    let request = input.request;
    let settings = &request.settings;
    let mut warnings = provider_tools::warnings(request, "Gemini", provider_tool);
    let effort = settings.reasoning_effort.as_deref();
    warnings.extend(effort.and_then(|effort| thinking(effort, input.model).1));
    let mut warn = |code, message: String| warnings.push(Warning::new(code, message));
    if settings.parallel_tool_calls == Some(false) && has_tools(request) {
        warn(
            "parallel_tool_calls_ignored",
            "Gemini has no way to ask for one call at a time; a response may hold several"
                .to_owned(),
        );
    }
    if let Some(number) = settings.seed.filter(|_| seed(settings).is_none()) {
        warn(
            "seed_ignored",
            format!("Gemini takes no seed of more than 32 bits, such as {number}"),
        );
    }
    let given = settings.stop_sequences.len();
    let sent = stop_sequences(settings).count();
    if sent < given {
        warn(
            "stop_sequence_ignored",
            format!(
                "{sent} stop sequences instead of {given}: \
                 Gemini takes at most {MOST_STOP_SEQUENCES}, and no empty one"
            ),
        );
    }
    warnings
}

fn stop_sequences(settings: &ModelSettings) -> impl Iterator<Item = &str> {
    let texts = settings.stop_sequences.iter().map(String::as_str);
    texts
        .filter(|text| !text.is_empty())
        .take(MOST_STOP_SEQUENCES)
}

fn seed(settings: &ModelSettings) -> Option<i32> {
    settings.seed.and_then(|seed| seed.try_into().ok())
}

/// The setting for an effort of thinking, and a warning if it is not what was asked for.
///
/// A number is a budget in tokens; `none` is a budget of zero. Any other word is a level, for which models that think by a
/// budget have the budgets of Google's `OpenAI` surface.
fn thinking(effort: &str, model: &str) -> (Option<Value>, Option<Warning>) {
    let tokens = |budget: i32| match budget {
        0 => json!({"thinkingBudget": 0}),
        budget => json!({"includeThoughts": true, "thinkingBudget": budget}),
    };
    let level = |level: &str| json!({"includeThoughts": true, "thinkingLevel": level});
    let warning = |code, message: String| Some(Warning::new(code, message));
    // The API takes its words in capitals as well.
    let word = effort.to_ascii_lowercase();
    let number = match &*word {
        "none" => Some(0),
        number => number.parse::<i32>().ok(),
    };
    match (generation::thinks(model), number) {
        (Thinks::Never, Some(0)) => (None, None),
        (Thinks::Never, _) => {
            let message = format!("`{model}` does not think; the reasoning effort is not sent");
            (None, warning("reasoning_off", message))
        }
        (Thinks::ByBudget { off: true, .. }, Some(0)) => (Some(tokens(0)), None),
        (Thinks::ByBudget { .. } | Thinks::ByLevel(_), Some(number)) if number < 0 => {
            (Some(tokens(number)), None)
        }
        (Thinks::ByBudget { least, most, .. }, number) => {
            let wanted = number.unwrap_or(match &*word {
                "minimal" | "low" => 1_024,
                "medium" => 8_192,
                _ => 24_576,
            });
            let budget = wanted.clamp(least, most);
            let message = format!("{budget} tokens for thinking instead of {wanted}");
            let changed = (budget != wanted).then(|| warning("reasoning_budget", message));
            (Some(tokens(budget)), changed.flatten())
        }
        (Thinks::ByLevel(_), Some(budget)) if budget > 0 => (Some(tokens(budget)), None),
        (Thinks::ByLevel(levels), _) => {
            let sent = match &*word {
                word if levels.contains(&word) => return (Some(level(effort)), None),
                "none" | "0" => levels[0],
                "minimal" | "low" => "low",
                _ => "high",
            };
            let code = if number == Some(0) {
                "reasoning_on"
            } else {
                "reasoning_effort"
            };
            let message = format!(
                "the thinking level `{sent}` instead of `{effort}`, which `{model}` does not take"
            );
            (Some(level(sent)), warning(code, message))
        }
        (Thinks::Unknown, Some(budget)) => (Some(tokens(budget)), None),
        (Thinks::Unknown, None) => (Some(level(effort)), None),
    }
}

/// Returns the functions that the model may or must call: `None` if the model decides, and without tools.
fn calling(asked: BodyInput<'_>) -> Option<Value> {
    let BodyInput { request, tools, .. } = asked;
    if !has_tools(request) {
        return None;
    }
    match &request.tool_choice {
        // Calls are then kept to the schema, as they are when they are forced.
        ToolChoice::Auto if tools.enforced => Some(json!({"mode": "VALIDATED"})),
        ToolChoice::Auto => None,
        ToolChoice::None => Some(json!({"mode": "NONE"})),
        ToolChoice::Required => Some(json!({"mode": "ANY"})),
        ToolChoice::Tool(name) => Some(json!({"mode": "ANY", "allowedFunctionNames": [name]})),
    }
}

fn has_tools(request: &ModelRequest) -> bool {
    !request.tools.is_empty() || request.settings.extra.contains_key("tools")
}
