//! Prompts.

use std::{future::Future, ops::ControlFlow};

use rmcp::{
    ErrorData, RoleServer,
    model::{
        self, GetPromptRequestParams, GetPromptResponse, GetPromptResult, ListPromptsResult,
        PaginatedRequestParams, PromptArgument, PromptMessage, Role,
    },
    service::RequestContext,
};
use serde_json::Value;
use toolwright_core::{ToolContext, ToolError, schema::Property, tool::IntoToolOutput};

use super::{
    Served, Service, ServiceError,
    answer::Answer,
    asking, content,
    fields::{self, Fields},
    meta, page,
};

/// What a client shows of a prompt. A name alone is one.
///
/// ```
/// use toolwright::mcp::Prompt;
///
/// let prompt = Prompt::new("review").title("Review").description("Asks for a review of code.");
/// ```
#[derive(Debug, Clone)]
#[must_use = "it is given to `Service::prompt`"]
pub struct Prompt(model::Prompt);

impl Prompt {
    /// A prompt of this name, which is its own among the prompts of a service.
    pub fn new(name: impl Into<String>) -> Self {
        Self(model::Prompt::new(name, None::<String>, None))
    }

    /// Sets the title, for people.
    pub fn title(self, title: impl Into<String>) -> Self {
        Self(self.0.with_title(title))
    }

    /// Sets the description, for people.
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.0.description = Some(text.into());
        self
    }

    /// Adds to the `_meta` of the prompt, which is passed on as it is.
    pub fn meta<K: Into<String>>(mut self, entries: impl IntoIterator<Item = (K, Value)>) -> Self {
        meta::extend(&mut self.0.meta, entries);
        self
    }
}

impl<N: Into<String>> From<N> for Prompt {
    fn from(name: N) -> Self {
        Self::new(name)
    }
}

/// A prompt of a service.
#[derive(Debug, Clone)]
pub(crate) struct ServedPrompt {
    shown: model::Prompt,
    pub(crate) fields: Vec<&'static Property>,
    answer: Answer,
}

impl Service {
    /// Serves a prompt: a text that a person at the client chooses, with arguments that are typed by the closure. The
    /// fields of their type are the arguments that a client shows, with their descriptions. A client sends them as strings,
    /// which are read as the types of the fields.
    ///
    /// The closure returns what a tool returns. Each part of it is a message of the user.
    ///
    /// ```
    /// use toolwright::{ToolInput, Toolset, mcp};
    ///
    /// #[derive(serde::Deserialize, ToolInput)]
    /// struct Code {
    ///     /// The code to review.
    ///     code: String,
    ///     /// The greatest number of remarks.
    ///     remarks: Option<u32>,
    /// }
    ///
    /// let service = mcp::Service::new(Toolset::new())
    ///     .prompt("review", async |code: Code, _cx| {
    ///         let remarks = code.remarks.unwrap_or(5);
    ///         Ok(format!("Review this code, with at most {remarks} remarks:\n{}", code.code))
    ///     })?
    ///     .prompt("greet", async |(), _cx| Ok("Say hello."))?;
    /// # Ok::<(), mcp::ServiceError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is a prompt of the name already, or the type of the arguments is no struct with named fields.
    pub fn prompt<T, R, F>(
        self,
        prompt: impl Into<Prompt>,
        answer: impl Fn(T, ToolContext) -> F + Send + Sync + 'static,
    ) -> Result<Self, ServiceError>
    where
        T: Fields,
        R: IntoToolOutput,
        F: Future<Output = Result<R, ToolError>> + Send + 'static,
    {
        let Prompt(mut shown) = prompt.into();
        let refused = |why| Err(ServiceError::offer(&shown.name, why));
        let Some(fields) = fields::of::<T>() else {
            return refused("its arguments are no struct with named fields");
        };
        if self.served.prompt(&shown.name).is_some() {
            return refused("there is a prompt of this name already");
        }
        let arguments = fields.iter().map(|field| argument(field)).collect();
        shown.arguments = Some(arguments);
        let answer = Answer::new(answer);
        let prompt = ServedPrompt {
            shown,
            fields,
            answer,
        };
        Ok(self.with(|served| served.prompts.push(prompt)))
    }
}

fn argument(field: &Property) -> PromptArgument {
    let argument = PromptArgument::new(field.name).with_required(field.is_required());
    match fields::description_of(field) {
        Some(text) => argument.with_description(text),
        None => argument,
    }
}

impl Served {
    /// The prompt of a name.
    pub(crate) fn prompt(&self, name: &str) -> Option<&ServedPrompt> {
        self.prompts.iter().find(|prompt| prompt.shown.name == name)
    }

    pub(crate) fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let page = page::of(&self.prompts, self.page, request, |it| &it.shown.name)?;
        let shown = page.items.iter().map(|prompt| prompt.shown.clone());
        let mut list = ListPromptsResult::with_all_items(shown.collect());
        list.next_cursor = page.next;
        Ok(list.with_ttl_ms(self.fresh_ms()))
    }

    pub(crate) async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let prompt = self.prompt(&request.name).ok_or_else(|| {
            let unknown = format!("Unknown prompt: {}", request.name);
            ErrorData::invalid_params(unknown, None)
        })?;
        let arguments = fields::to_json(&request.arguments.unwrap_or_default());
        let asked = asking::Request {
            call: ["prompt", &request.name, &arguments],
            state: request.request_state.as_deref(),
            answers: request.input_responses.as_ref(),
        };
        let answer = &prompt.answer;
        let output = answer.run(self, &request.name, &arguments, &asked, context);
        let output = match output.await? {
            ControlFlow::Break(asked) => return Ok(asked.into()),
            ControlFlow::Continue(output) => output,
        };
        let blocks = content::blocks(output);
        let messages = blocks.map(|block| PromptMessage::new(Role::User, block));
        let mut result = GetPromptResult::new(messages.collect());
        result.description.clone_from(&prompt.shown.description);
        Ok(result.into())
    }
}
