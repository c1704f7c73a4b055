//! Formats whose markers are tokens of a model, or lines that a prompt asked for.

use crate::item::Item;

use super::{Format, TOKEN, headers};

/// The markers of calls in DeepSeek V3, R1 and V3.1. Models also write them with `|` and `_`.
const DEEPSEEK: Format = Format {
    open: &["<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>"],
    close: &["<｜tool▁calls▁end｜>"],
    between: &["<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"],
    ..TOKEN
};

pub(super) const EMULATION: Format = Format {
    name: "emulation",
    source: "prompts that ask for a decision as JSON between two lines",
    open: &[
        "JSON_BEGIN",
        "JSON_BEGIN:",
        "**JSON_BEGIN**",
        "<JSON_BEGIN>",
        "[JSON_BEGIN]",
    ],
    close: &[
        "JSON_END",
        "**JSON_END**",
        "<JSON_END>",
        "</JSON_BEGIN>",
        "[JSON_END]",
    ],
    ..TOKEN
};

pub(super) const DEEPSEEK_V3_2: Format = Format {
    name: "deepseek_v3_2",
    source: "ggml-org/llama.cpp, models/templates/DeepSeek-V3.2.jinja",
    open: &["<｜DSML｜function_calls>", "<｜DSML｜tool_calls>"],
    starts: &["<｜DSML｜invoke name="],
    close: &["</｜DSML｜function_calls>", "</｜DSML｜tool_calls>"],
    item: Item::Tags,
    ..TOKEN
};

pub(super) const DEEPSEEK_V3_2_JSON: Format = Format {
    name: "deepseek_v3_2",
    source: "sglang, deepseekv32_detector.py: arguments as an object within the tag",
    open: &["<｜DSML｜function_calls>", "<｜DSML｜tool_calls>"],
    starts: &["<｜DSML｜invoke name="],
    close: &["</｜DSML｜function_calls>", "</｜DSML｜tool_calls>"],
    between: &["</｜DSML｜invoke>"],
    item: Item::Named(headers::tag),
    ..TOKEN
};

pub(super) const STEP3: Format = Format {
    name: "step3",
    source: "vllm-project/vllm, vllm/entrypoints/openai/tool_parsers/step3_tool_parser.py",
    lead: "function<｜tool_sep｜>",
    item: Item::Tags,
    ..DEEPSEEK
};

pub(super) const DEEPSEEK_V3: Format = Format {
    name: "deepseek_v3",
    source: "vllm-project/vllm, examples/tool_chat_template_deepseekr1.jinja; DeepSeek-V3-0324 has the same form",
    lead: "function<｜tool▁sep｜>",
    item: Item::Named(headers::fenced),
    ..DEEPSEEK
};

pub(super) const DEEPSEEK_V3_1: Format = Format {
    name: "deepseek_v3_1",
    source: "ggml-org/llama.cpp, models/templates/deepseek-ai-DeepSeek-V3.1.jinja",
    item: Item::Named(headers::deepseek_v3_1),
    ..DEEPSEEK
};

pub(super) const KIMI_K2: Format = Format {
    name: "kimi_k2",
    source: "sgl-project/sglang, python/sglang/srt/function_call/kimik2_detector.py, which names \
                 moonshotai/Kimi-K2-Instruct, docs/tool_call_guidance.md",
    open: &[
        "<|tool_calls_section_begin|>",
        "<|tool_call_section_begin|>",
        "<|tool_call_begin|>",
    ],
    close: &["<|tool_calls_section_end|>", "<|tool_call_section_end|>"],
    between: &["<|tool_call_begin|>", "<|tool_call_end|>"],
    item: Item::Named(headers::kimi_k2),
    ..TOKEN
};

pub(super) const MISTRAL_LIST: Format = Format {
    name: "mistral",
    source: "vllm-project/vllm, vllm/entrypoints/openai/tool_parsers/mistral_tool_parser.py: tokenizers before v11",
    open: &["[TOOL_CALLS]"],
    close: &["[/TOOL_CALLS]", "</s>"],
    ..TOKEN
};

pub(super) const MISTRAL_NAMED: Format = Format {
    name: "mistral",
    source: "the same parser, tokenizers from v11 on: a name and an object, without `[ARGS]` once it is decoded; \
                 mistral-common has the token",
    open: &["[TOOL_CALLS]"],
    close: &["[/TOOL_CALLS]", "</s>"],
    item: Item::Named(headers::mistral),
    ..TOKEN
};

pub(super) const LLAMA3_JSON: Format = Format {
    name: "llama3_json",
    source: "vllm-project/vllm, examples/tool_chat_template_llama3.1_json.jinja",
    open: &["<|python_tag|>"],
    close: &["<|eom_id|>", "<|eot_id|>"],
    ..TOKEN
};

pub(super) const LLAMA3_BUILT_IN: Format = Format {
    name: "llama3_json",
    source: "built-in tools of Llama 3.1: llama.com/docs, prompt format of Llama 3.1",
    open: &["<|python_tag|>"],
    close: &["<|eom_id|>", "<|eot_id|>"],
    item: Item::Python,
    ..TOKEN
};

pub(super) const LLAMA4: Format = Format {
    name: "pythonic",
    source: "vllm-project/vllm, vllm/entrypoints/openai/tool_parsers/llama4_pythonic_tool_parser.py: tokens that Llama 4 \
             writes now and then around what PYTHONIC names",
    open: &["<|python_start|>"],
    close: &["<|python_end|>"],
    item: Item::Python,
    ..TOKEN
};

pub(super) const LFM2: Format = Format {
    name: "lfm2",
    source: "ggml-org/llama.cpp, models/templates/LFM2.5-8B-A1B.jinja; in a code block, vllm-project/vllm, \
                 examples/tool_chat_template_minicpm3.jinja",
    open: &["<|tool_call_start|>"],
    close: &["<|tool_call_end|>"],
    item: Item::Python,
    ..TOKEN
};

pub(super) const LFM2_JSON: Format = Format {
    name: "lfm2",
    source: "model card of LiquidAI/LFM2-1.2B: calls as JSON where the prompt asks for it",
    open: &["<|tool_call_start|>"],
    close: &["<|tool_call_end|>"],
    ..TOKEN
};

pub(super) const GRANITE: Format = Format {
    name: "granite",
    source: "vllm-project/vllm, vllm/entrypoints/openai/tool_parsers/granite_tool_parser.py: Granite 3.0, \
                 where 3.1 has the marker of Hermes; microsoft/Phi-4-mini-instruct closes it",
    open: &["<|tool_call|>"],
    close: &["<|/tool_call|>"],
    ..TOKEN
};

pub(super) const INTERNLM2: Format = Format {
    name: "internlm2",
    source: "vllm-project/vllm, examples/tool_chat_template_internlm2_tool.jinja",
    open: &["<|action_start|>"],
    close: &["<|action_end|>"],
    between: &["<|plugin|>"],
    ..TOKEN
};

pub(super) const COHERE: Format = Format {
    name: "cohere",
    source: "ggml-org/llama.cpp, models/templates/CohereForAI-c4ai-command-r7b-12-2024-tool_use.jinja",
    open: &["<|START_ACTION|>"],
    close: &["<|END_ACTION|>"],
    ..TOKEN
};

pub(super) const APERTUS: Format = Format {
    name: "apertus",
    source: "vllm-project/vllm, examples/tool_chat_template_apertus.jinja",
    open: &["<|tools_prefix|>"],
    close: &["<|tools_suffix|>"],
    ..TOKEN
};

pub(super) const GIGACHAT3: Format = Format {
    name: "gigachat3",
    source: "ggml-org/llama.cpp, models/templates/GigaChat3-10B-A1.8B.jinja; the token, sgl-project/sglang, \
                 python/sglang/srt/function_call/gigachat3_detector.py",
    open: &[
        "<|function_call|>",
        "function call<|role_sep|>",
        "<|message_sep|>\n\nfunction call<|role_sep|>",
    ],
    close: &["<|message_sep|>"],
    ..TOKEN
};

pub(super) const GEMMA4: Format = Format {
    name: "gemma4",
    source: "ggml-org/llama.cpp, models/templates/gemma4.jinja",
    open: &["<|tool_call>"],
    close: &["<tool_call|>"],
    item: Item::Quoted(&["<|\"|>"]),
    ..TOKEN
};

pub(super) const FUNCTIONGEMMA: Format = Format {
    name: "functiongemma",
    source: "ml-explore/mlx-lm, mlx_lm/tool_parsers/function_gemma.py, of google/functiongemma-270m-it",
    open: &["<start_function_call>"],
    close: &["<end_function_call>"],
    item: Item::Quoted(&["<escape>"]),
    ..TOKEN
};
