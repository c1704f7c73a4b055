//! Formats that begin with what may stand in any text: only a call after it shows what it is.

use crate::item::Item;

use super::{Format, WEAK, headers};

/// The name of a tool on a line, and an object.
pub(crate) const FUNCTIONARY: Format = Format {
    name: "functionary_v3_2",
    source: "ggml-org/llama.cpp, common/parsers/functionary-v3-2.cpp, of meetkai/functionary-small-v3.2",
    open: &[">>>"],
    item: Item::Named(headers::line),
    ..WEAK
};

pub(super) const PHI4_MINI: Format = Format {
    name: "phi4_mini",
    source: "vllm-project/vllm, examples/tool_chat_template_phi4_mini.jinja; fireworks-ai/llama-3-firefunction-v2",
    starts: &["functools["],
    lead: "functools",
    ..WEAK
};

pub(super) const COMMAND_R: Format = Format {
    name: "command_r",
    source: "huggingface/transformers, src/transformers/models/cohere/tokenization_cohere_fast.py, of Command R; one \
             object, langchain-ai/langchain, libs/langchain/langchain/agents/structured_chat/prompt.py",
    open: &["Action:"],
    ..WEAK
};

pub(super) const REACT: Format = Format {
    name: "react",
    source: "langchain-ai/langchain, libs/langchain/langchain_classic/agents/mrkl/prompt.py, after Yao et al., ReAct",
    open: &["Action:"],
    item: Item::Named(headers::react),
    ..WEAK
};

pub(super) const REACT_LINE: Format = Format {
    name: "react",
    source: "the same prompt: the input of a tool with one parameter, as text",
    open: &["Action:"],
    item: Item::Line,
    ..WEAK
};

pub(super) const HERMES_VARIANTS: Format = Format {
    name: "hermes_variants",
    source: "llama.cpp, tests/test-chat.cpp: tags that fine-tunes of Hermes write",
    open: &[
        "<response>",
        "<json>",
        "<xml>",
        "<tool>",
        "<tools>",
        "<function>",
    ],
    close: &[
        "</response>",
        "</json>",
        "</xml>",
        "</tool>",
        "</tools>",
        "</function>",
    ],
    ..WEAK
};
