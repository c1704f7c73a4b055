//! Formats whose markers are tags, which a sentence may mention.

use crate::item::{Item, keys::KeyTags};

use super::{Format, TAG, headers};

const GLM: KeyTags = KeyTags {
    key: ["<arg_key>", "</arg_key>"],
    value: ["<arg_value>", "</arg_value>"],
    end: "</tool_call>",
};
const LONGCAT: KeyTags = KeyTags {
    key: ["<longcat_arg_key>", "</longcat_arg_key>"],
    value: ["<longcat_arg_value>", "</longcat_arg_value>"],
    end: "</longcat_tool_call>",
};

pub(super) const HERMES: Format = Format {
    name: "hermes",
    source: "vllm-project/vllm, examples/tool_chat_template_hermes.jinja; chat templates of \
                 Qwen/Qwen2.5-7B-Instruct, Qwen/Qwen3-8B and baidu/ERNIE-4.5-21B-A3B-Thinking",
    open: &["<tool_call>"],
    close: &["</tool_call>"],
    ..TAG
};

pub(super) const QWEN3_CODER: Format = Format {
    name: "qwen3_coder",
    source: "vllm-project/vllm, examples/tool_chat_template_qwen3coder.jinja; chat template of \
                 nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
    open: &["<tool_call>"],
    starts: &["<function=", "<function name="],
    close: &["</tool_call>"],
    item: Item::Tags,
    ..TAG
};

pub(super) const GLM4: Format = Format {
    name: "glm4",
    source: "ggml-org/llama.cpp, models/templates/GLM-4.6.jinja; GLM-4.5 has the same form",
    open: &["<tool_call>"],
    close: &["</tool_call>"],
    item: Item::Keys(&GLM),
    ..TAG
};

pub(super) const FUNCTIONARY_V3_1: Format = Format {
    name: "functionary_v3_1",
    source: "MeetKai/functionary, tests/prompt_test_v3-llama3.1.txt, of functionary-small-v3.1; Llama 3.1's custom \
             tools have the same form",
    starts: &["<function=", "<function name="],
    close: &["</function>"],
    item: Item::Named(headers::tag),
    ..TAG
};

pub(super) const SEED_OSS: Format = Format {
    name: "seed_oss",
    source: "ggml-org/llama.cpp, models/templates/ByteDance-Seed-OSS.jinja",
    open: &["<seed:tool_call>"],
    close: &["</seed:tool_call>"],
    item: Item::Tags,
    ..TAG
};

pub(super) const MINIMAX_M2: Format = Format {
    name: "minimax_m2",
    source: "ggml-org/llama.cpp, models/templates/unsloth-MiniMax-M2.jinja",
    open: &["<minimax:tool_call>"],
    close: &["</minimax:tool_call>"],
    item: Item::Tags,
    ..TAG
};

pub(super) const ANTHROPIC_XML: Format = Format {
    name: "anthropic_xml",
    source: "the prompt of Claude's API for tools: jujumilk3/leaked-system-prompts, \
             anthropic-claude-api-tool-use_20250119.md",
    open: &["<function_calls>", "<antml:function_calls>"],
    starts: &["<invoke name=", "<antml:invoke name="],
    close: &["</function_calls>", "</antml:function_calls>"],
    item: Item::Tags,
    ..TAG
};

pub(super) const OLMO3: Format = Format {
    name: "olmo3",
    source: "vllm-project/vllm, vllm/entrypoints/openai/tool_parsers/olmo3_tool_parser.py: a call on each line",
    open: &["<function_calls>"],
    close: &["</function_calls>"],
    item: Item::Python,
    ..TAG
};

pub(super) const GRANITE_20B_FC: Format = Format {
    name: "granite_20b_fc",
    source: "vllm-project/vllm, examples/tool_chat_template_granite_20b_fc.jinja",
    open: &["<function_call>"],
    close: &["</function_call>"],
    ..TAG
};

pub(super) const HUNYUAN: Format = Format {
    name: "hunyuan",
    source: "vllm-project/vllm, examples/tool_chat_template_hunyuan_a13b.jinja; an object a line, \
                 examples/tool_chat_template_minimax_m1.jinja; ai21labs/AI21-Jamba-Mini-1.6",
    open: &["<tool_calls>"],
    close: &["</tool_calls>"],
    ..TAG
};

pub(super) const NEMOTRON: Format = Format {
    name: "nemotron",
    source: "ggml-org/llama.cpp, models/templates/NVIDIA-Nemotron-Nano-v2.jinja",
    open: &["<TOOLCALL>"],
    close: &["</TOOLCALL>"],
    ..TAG
};

pub(super) const LONGCAT_KEYS: Format = Format {
    name: "longcat",
    source: "ml-explore/mlx-lm, mlx_lm/tool_parsers/longcat.py: keys and values between tags",
    open: &["<longcat_tool_call>"],
    close: &["</longcat_tool_call>"],
    item: Item::Keys(&LONGCAT),
    ..TAG
};

pub(super) const LONGCAT_JSON: Format = Format {
    name: "longcat",
    source: "sgl-project/sglang, python/sglang/srt/function_call/longcat_detector.py, of LongCat-Flash-Chat",
    open: &["<longcat_tool_call>"],
    close: &["</longcat_tool_call>"],
    ..TAG
};
