//! Differences of a server from its protocol.

use super::answer_schema::AnswerSupport;

/// The differences of a server in the requests that codecs write.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quirks {
    /// The name of the server in warnings.
    pub(crate) name: &'static str,
    /// Returns true for the ids of calls that it accepts.
    pub(crate) is_id: fn(&str) -> bool,
    /// The field of the limit of output tokens.
    pub(crate) max_tokens: &'static str,
    /// The field of the seed.
    pub(crate) seed: &'static str,
    /// True if a stream has to be asked for its usage, and may be.
    pub(crate) asks_for_usage: bool,
    /// True if reasoning comes after the output that it led to, and is sent back there. OpenAI refuses it.
    pub(crate) reasoning_last: bool,
    pub(crate) choice: Choosing,
    pub(crate) effort: Effort,
    /// The support for the schema of an answer.
    pub(crate) answers: AnswerSupport,
    /// True if the server enforces the schema of an answer that is sent to a model with `strict: true`, although the
    /// profile of its tools is not strict.
    pub(crate) strict_answers: fn(&str) -> bool,
    /// The form of a PDF.
    pub(crate) documents: DocumentForm,
    /// The form of sound.
    pub(crate) sound: SoundForm,
    /// Returns true for the models with which it takes a mark for the cache at the top of a request.
    pub(crate) takes_cache_mark: fn(&str) -> bool,
    /// The number of stop sequences that it takes.
    pub(crate) most_stops: usize,
    /// Whose server it is, where that decides what a request may have.
    pub(crate) owner: Owner,
    /// True of a model that is older than what its owner added last.
    pub(crate) old_model: bool,
}

/// The support of a server for a choice of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choosing {
    /// It takes all of them.
    All {
        /// The word for any tool.
        required: &'static str,
        /// True if a named tool has the type `function` next to its name.
        typed: bool,
    },
    /// It takes the words and no name, or reads a name as `auto`.
    Words,
    /// It reads over all of them.
    None,
}

/// The field that tells a server how much to reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// The field `reasoning_effort`.
    Word,
    /// The field `reasoning`, an object with the effort.
    Object,
    /// The field `thinking`, on or off; a forced call is refused while it is on.
    Switch,
}

/// The form of a PDF in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocumentForm {
    /// The part `file`, with its bytes.
    File,
    /// The part `document_url`, with any address.
    Url,
    /// It takes none.
    None,
}

/// The form of sound in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SoundForm {
    /// The part `input_audio`, an object of the bytes and their format.
    Object,
    /// The part `input_audio`, a string: the bytes, or an address.
    Text,
    /// It takes none.
    None,
}

impl Quirks {
    /// The quirks of a server that has none: OpenAI's.
    pub(crate) const NONE: Self = Self {
        name: "the server",
        is_id: |_| true,
        max_tokens: "max_completion_tokens",
        seed: "seed",
        asks_for_usage: true,
        reasoning_last: false,
        choice: Choosing::All {
            required: "required",
            typed: true,
        },
        effort: Effort::Word,
        answers: AnswerSupport::Yes,
        strict_answers: |_| false,
        // openai-python, `types/chat/chat_completion_content_part_param.py`.
        documents: DocumentForm::File,
        sound: SoundForm::Object,
        // github.com/openai/openai-openapi: "Up to 4 sequences".
        takes_cache_mark: |_| false,
        most_stops: 4,
        owner: Owner::Other,
        old_model: false,
    };

    /// What holds for a model of the server. What OpenAI added with GPT-5 its older models refuse, and with them the whole
    /// request.
    pub(crate) fn of_model(mut self, model: &str) -> Self {
        self.old_model = !is_gpt_5_or_later(model);
        self
    }

    /// Returns true if the choice of tools may name those that may be called, beside the list of all.
    pub(crate) fn takes_allowed_tools(&self) -> bool {
        self.owner == Owner::OpenAi && !self.old_model
    }

    /// Returns true if a request may ask for what the tools of the server have found.
    pub(crate) fn tells_findings(&self) -> bool {
        self.owner == Owner::OpenAi
    }

    /// Returns true if it has custom tools, whose input is one text.
    pub(crate) fn has_custom_tools(&self) -> bool {
        self.owner == Owner::OpenAi && !self.old_model
    }

    /// Returns true if a search of the web may be kept from some domains.
    pub(crate) fn excludes_domains(&self) -> bool {
        self.owner == Owner::Xai
    }
}

/// Returns true for the models behind these protocols whose prompts are cached on request alone.
pub(crate) fn is_claude(model: &str) -> bool {
    model.to_ascii_lowercase().contains("claude")
}

fn is_gpt_5_or_later(model: &str) -> bool {
    let version = model.strip_prefix("gpt-").unwrap_or_default();
    let major = version.split(['-', '.']).next().unwrap_or_default();
    major.parse::<u32>().is_ok_and(|major| major >= 5)
}

/// The owner of a server. Other servers of a protocol seldom have what its owner added last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    OpenAi,
    Xai,
    Other,
}

impl Owner {
    /// The owner of the server at a host.
    pub(crate) fn of(host: &str) -> Self {
        match host {
            "api.openai.com" => Self::OpenAi,
            // Azure serves OpenAI's models in OpenAI's form
            // (learn.microsoft.com/azure/ai-foundry/openai/how-to/reasoning, GPT-5).
            host if host.ends_with(".openai.azure.com") => Self::OpenAi,
            "api.x.ai" => Self::Xai,
            _ => Self::Other,
        }
    }
}
