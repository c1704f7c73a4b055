//! The table: a row for each way in which a model writes calls between markers.

use crate::item::{Item, keys::KeyTags};

use super::{Format, TAG, TOKEN, WEAK, headers};

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

/// The markers of calls in DeepSeek V3, R1 and V3.1. Models also write them with `|` and `_`.
const DEEPSEEK: Format = Format {
    open: &["<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>"],
    close: &["<｜tool▁calls▁end｜>"],
    between: &["<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"],
    ..TOKEN
};

/// The name of a tool on a line, and an object.
pub(crate) const FUNCTIONARY: Format = Format {
    name: "functionary_v3_2",
    source: "ggml-org/llama.cpp, common/parsers/functionary-v3-2.cpp, of meetkai/functionary-small-v3.2",
    open: &[">>>"],
    item: Item::Named(headers::line),
    ..WEAK
};

/// The formats with markers. Those that share a marker are told apart by the form of their calls, in this order.
pub(crate) const FORMATS: &[Format] = &[
    Format {
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
    },
    Format {
        name: "hermes",
        source: "vllm-project/vllm, examples/tool_chat_template_hermes.jinja; chat templates of \
                 Qwen/Qwen2.5-7B-Instruct, Qwen/Qwen3-8B and baidu/ERNIE-4.5-21B-A3B-Thinking",
        open: &["<tool_call>"],
        close: &["</tool_call>"],
        ..TAG
    },
    Format {
        name: "qwen3_coder",
        source: "vllm-project/vllm, examples/tool_chat_template_qwen3coder.jinja; chat template of \
                 nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
        open: &["<tool_call>"],
        starts: &["<function=", "<function name="],
        close: &["</tool_call>"],
        item: Item::Tags,
        ..TAG
    },
    Format {
        name: "glm4",
        source: "ggml-org/llama.cpp, models/templates/GLM-4.6.jinja; GLM-4.5 has the same form",
        open: &["<tool_call>"],
        close: &["</tool_call>"],
        item: Item::Keys(&GLM),
        ..TAG
    },
    Format {
        name: "functionary_v3_1",
        source: "chat template of meetkai/functionary-small-v3.1; the same form in Llama 3.1's custom tools",
        starts: &["<function=", "<function name="],
        close: &["</function>"],
        item: Item::Named(headers::tag),
        ..TAG
    },
    FUNCTIONARY,
    Format {
        name: "seed_oss",
        source: "ggml-org/llama.cpp, models/templates/ByteDance-Seed-OSS.jinja",
        open: &["<seed:tool_call>"],
        close: &["</seed:tool_call>"],
        item: Item::Tags,
        ..TAG
    },
    Format {
        name: "minimax_m2",
        source: "ggml-org/llama.cpp, models/templates/unsloth-MiniMax-M2.jinja",
        open: &["<minimax:tool_call>"],
        close: &["</minimax:tool_call>"],
        item: Item::Tags,
        ..TAG
    },
    Format {
        name: "anthropic_xml",
        source: "prompts for Claude before native tools: docs.anthropic.com, legacy tool use",
        open: &["<function_calls>", "<antml:function_calls>"],
        starts: &["<invoke name=", "<antml:invoke name="],
        close: &["</function_calls>", "</antml:function_calls>"],
        item: Item::Tags,
        ..TAG
    },
    Format {
        name: "olmo3",
        source: "vllm-project/vllm, vllm/entrypoints/openai/tool_parsers/olmo3_tool_parser.py: a call on each line",
        open: &["<function_calls>"],
        close: &["</function_calls>"],
        item: Item::Python,
        ..TAG
    },
    Format {
        name: "deepseek_v3_2",
        source: "ggml-org/llama.cpp, models/templates/DeepSeek-V3.2.jinja",
        open: &["<｜DSML｜function_calls>", "<｜DSML｜tool_calls>"],
        starts: &["<｜DSML｜invoke name="],
        close: &["</｜DSML｜function_calls>", "</｜DSML｜tool_calls>"],
        item: Item::Tags,
        ..TOKEN
    },
    Format {
        name: "deepseek_v3_2",
        source: "sglang, deepseekv32_detector.py: arguments as an object within the tag",
        open: &["<｜DSML｜function_calls>", "<｜DSML｜tool_calls>"],
        starts: &["<｜DSML｜invoke name="],
        close: &["</｜DSML｜function_calls>", "</｜DSML｜tool_calls>"],
        between: &["</｜DSML｜invoke>"],
        item: Item::Named(headers::tag),
        ..TOKEN
    },
    Format {
        name: "step3",
        source: "vllm-project/vllm, vllm/entrypoints/openai/tool_parsers/step3_tool_parser.py",
        lead: "function<｜tool_sep｜>",
        item: Item::Tags,
        ..DEEPSEEK
    },
    Format {
        name: "deepseek_v3",
        source: "vllm-project/vllm, examples/tool_chat_template_deepseekr1.jinja; DeepSeek-V3-0324 has the same form",
        lead: "function<｜tool▁sep｜>",
        item: Item::Named(headers::fenced),
        ..DEEPSEEK
    },
    Format {
        name: "deepseek_v3_1",
        source: "ggml-org/llama.cpp, models/templates/deepseek-ai-DeepSeek-V3.1.jinja",
        item: Item::Named(headers::deepseek_v3_1),
        ..DEEPSEEK
    },
    Format {
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
    },
    Format {
        name: "mistral",
        source: "vllm-project/vllm, vllm/entrypoints/openai/tool_parsers/mistral_tool_parser.py: tokenizers before v11",
        open: &["[TOOL_CALLS]"],
        close: &["[/TOOL_CALLS]", "</s>"],
        ..TOKEN
    },
    Format {
        name: "mistral",
        source: "the same parser, tokenizers from v11 on: a name and an object, without `[ARGS]` once it is decoded; \
                 mistral-common has the token",
        open: &["[TOOL_CALLS]"],
        close: &["[/TOOL_CALLS]", "</s>"],
        item: Item::Named(headers::mistral),
        ..TOKEN
    },
    Format {
        name: "llama3_json",
        source: "vllm-project/vllm, examples/tool_chat_template_llama3.1_json.jinja",
        open: &["<|python_tag|>"],
        close: &["<|eom_id|>", "<|eot_id|>"],
        ..TOKEN
    },
    Format {
        name: "llama3_json",
        source: "built-in tools of Llama 3.1: llama.com/docs, prompt format of Llama 3.1",
        open: &["<|python_tag|>"],
        close: &["<|eom_id|>", "<|eot_id|>"],
        item: Item::Python,
        ..TOKEN
    },
    Format {
        name: "pythonic",
        source: "model card of meta-llama/Llama-4-Scout-17B-16E-Instruct: tokens around what PYTHONIC names",
        open: &["<|python_start|>"],
        close: &["<|python_end|>"],
        item: Item::Python,
        ..TOKEN
    },
    Format {
        name: "lfm2",
        source: "ggml-org/llama.cpp, models/templates/LFM2.5-8B-A1B.jinja; in a code block, vllm-project/vllm, \
                 examples/tool_chat_template_minicpm3.jinja",
        open: &["<|tool_call_start|>"],
        close: &["<|tool_call_end|>"],
        item: Item::Python,
        ..TOKEN
    },
    Format {
        name: "lfm2",
        source: "model card of LiquidAI/LFM2-1.2B: calls as JSON where the prompt asks for it",
        open: &["<|tool_call_start|>"],
        close: &["<|tool_call_end|>"],
        ..TOKEN
    },
    Format {
        name: "granite",
        source: "vllm-project/vllm, vllm/entrypoints/openai/tool_parsers/granite_tool_parser.py: Granite 3.0, \
                 where 3.1 has the marker of Hermes; microsoft/Phi-4-mini-instruct closes it",
        open: &["<|tool_call|>"],
        close: &["<|/tool_call|>"],
        ..TOKEN
    },
    Format {
        name: "granite_20b_fc",
        source: "vllm-project/vllm, examples/tool_chat_template_granite_20b_fc.jinja",
        open: &["<function_call>"],
        close: &["</function_call>"],
        ..TAG
    },
    Format {
        name: "hunyuan",
        source: "vllm-project/vllm, examples/tool_chat_template_hunyuan_a13b.jinja; an object a line, \
                 examples/tool_chat_template_minimax_m1.jinja; ai21labs/AI21-Jamba-Mini-1.6",
        open: &["<tool_calls>"],
        close: &["</tool_calls>"],
        ..TAG
    },
    Format {
        name: "nemotron",
        source: "ggml-org/llama.cpp, models/templates/NVIDIA-Nemotron-Nano-v2.jinja",
        open: &["<TOOLCALL>"],
        close: &["</TOOLCALL>"],
        ..TAG
    },
    Format {
        name: "internlm2",
        source: "vllm-project/vllm, examples/tool_chat_template_internlm2_tool.jinja",
        open: &["<|action_start|>"],
        close: &["<|action_end|>"],
        between: &["<|plugin|>"],
        ..TOKEN
    },
    Format {
        name: "cohere",
        source: "ggml-org/llama.cpp, models/templates/CohereForAI-c4ai-command-r7b-12-2024-tool_use.jinja",
        open: &["<|START_ACTION|>"],
        close: &["<|END_ACTION|>"],
        ..TOKEN
    },
    Format {
        name: "apertus",
        source: "vllm-project/vllm, examples/tool_chat_template_apertus.jinja",
        open: &["<|tools_prefix|>"],
        close: &["<|tools_suffix|>"],
        ..TOKEN
    },
    Format {
        name: "gigachat3",
        source: "ggml-org/llama.cpp, models/templates/GigaChat3-10B-A1.8B.jinja; the token, sgl-project/sglang, \
                 python/sglang/srt/function_call/gigachat3_detector.py",
        open: &[
            "<|function_call|>",
            "function call<|role_sep|>",
            "<|message_sep|>\n\nfunction call<|role_sep|>",
        ],
        ..TOKEN
    },
    Format {
        name: "longcat",
        source: "clients of LongCat-Flash-Thinking and LongCat-2.0: keys and values between tags",
        open: &["<longcat_tool_call>"],
        close: &["</longcat_tool_call>"],
        item: Item::Keys(&LONGCAT),
        ..TAG
    },
    Format {
        name: "longcat",
        source: "sgl-project/sglang, python/sglang/srt/function_call/longcat_detector.py, of LongCat-Flash-Chat",
        open: &["<longcat_tool_call>"],
        close: &["</longcat_tool_call>"],
        ..TAG
    },
    Format {
        name: "gemma4",
        source: "ggml-org/llama.cpp, models/templates/gemma4.jinja",
        open: &["<|tool_call>"],
        close: &["<tool_call|>"],
        item: Item::Quoted(&["<|\"|>"]),
        ..TOKEN
    },
    Format {
        name: "functiongemma",
        source: "model card of google/functiongemma-270m-it",
        open: &["<start_function_call>"],
        close: &["<end_function_call>"],
        item: Item::Quoted(&["<escape>"]),
        ..TOKEN
    },
    Format {
        name: "phi4_mini",
        source: "vllm-project/vllm, examples/tool_chat_template_phi4_mini.jinja; fireworks-ai/llama-3-firefunction-v2",
        starts: &["functools["],
        lead: "functools",
        ..WEAK
    },
    Format {
        name: "command_r",
        source: "model card of CohereLabs/c4ai-command-r-v01; LangChain's structured chat agent has the same form",
        open: &["Action:"],
        ..WEAK
    },
    Format {
        name: "react",
        source: "Yao et al., ReAct; LangChain's prompt hwchase17/react",
        open: &["Action:"],
        item: Item::Named(headers::react),
        ..WEAK
    },
    Format {
        name: "react",
        source: "LangChain's prompt hwchase17/react: the input of a tool with one parameter, as text",
        open: &["Action:"],
        item: Item::Line,
        ..WEAK
    },
    Format {
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
    },
];
