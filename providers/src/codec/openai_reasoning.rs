//! The settings of a request to OpenAI's models that their reasoning changes.

use toolwright_core::model::{ModelSettings, Warning};

use super::openai_models::{self, Reasons};

/// The settings, as they are sent.
#[derive(Debug)]
pub(crate) struct Reasoning<'a> {
    pub(crate) effort: Option<&'a str>,
    pub(crate) temperature: Option<f64>,
    pub(crate) warnings: Vec<Warning>,
}

impl<'a> Reasoning<'a> {
    pub(crate) fn of(model: &str, settings: &'a ModelSettings) -> Self {
        let reasons = openai_models::reasons(model);
        let asked = settings.reasoning_effort.as_deref();
        let effort = match (asked, reasons) {
            (Some(_), Reasons::Never) => None,
            (Some("none"), Reasons::From(least)) => Some(least),
            (Some("minimal"), Reasons::From("low") | Reasons::OrNot) => Some("low"),
            (asked, _) => asked,
        };
        let is_off = match reasons {
            Reasons::From(_) => false,
            Reasons::OrNot => matches!(asked, None | Some("none")),
            Reasons::Never | Reasons::Unknown => true,
        };
        let temperature = settings.temperature.filter(|_| is_off);
        let mut plan = Self {
            effort,
            temperature,
            warnings: Vec::new(),
        };
        match (asked, effort) {
            (Some(asked), None) if asked != "none" => plan.warn(
                "reasoning_off",
                format!("`{model}` does not reason; the effort `{asked}` is not sent"),
            ),
            (Some("none"), Some(sent)) if sent != "none" => plan.warn(
                "reasoning_on",
                format!("`{model}` always reasons; it is asked to with the effort `{sent}`"),
            ),
            (Some(asked), Some(sent)) if asked != sent => plan.warn(
                "reasoning_effort",
                format!("the effort `{sent}` instead of `{asked}`, which `{model}` does not take"),
            ),
            _ => {}
        }
        if settings.temperature.is_some() && !is_off && !settings.extra.contains_key("temperature")
        {
            let message = format!("`{model}` takes no temperature while it reasons");
            plan.warn("temperature_ignored", message);
        }
        plan
    }

    fn warn(&mut self, code: &str, message: String) {
        self.warnings.push(Warning::new(code, message));
    }
}
