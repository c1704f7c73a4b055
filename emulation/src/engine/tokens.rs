//! The markers of models that are none of calls: reasoning, results, and the frames of messages.

/// The markers around reasoning. The source of each stands beside it.
pub(super) const REASONING: [[&str; 2]; 13] = [
    // Prompts that ask for it.
    ["<thinking>", "</thinking>"],
    ["<thought>", "</thought>"],
    ["<reasoning>", "</reasoning>"],
    ["<reflection>", "</reflection>"],
    // NousResearch/Hermes-3-Llama-3.1-8B.
    ["<scratch_pad>", "</scratch_pad>"],
    // Chat templates of Qwen/Qwen3-8B, deepseek-ai/DeepSeek-R1 and many others.
    ["<think>", "</think>"],
    // ByteDance-Seed/Seed-OSS-36B-Instruct.
    ["<seed:think>", "</seed:think>"],
    // meituan-longcat/LongCat-Flash-Thinking.
    ["<longcat_think>", "</longcat_think>"],
    // mistralai/Magistral-Small-2509.
    ["[THINK]", "[/THINK]"],
    // CohereLabs/command-a-reasoning-08-2025.
    ["<|START_THINKING|>", "<|END_THINKING|>"],
    // openbmb/MiniCPM3-4B.
    ["<|thought_start|>", "<|thought_end|>"],
    // swiss-ai/Apertus-8B-Instruct-2509.
    ["<|inner_prefix|>", "<|inner_suffix|>"],
    // google/gemma-4-E4B-it.
    ["<|channel>thought", "<channel|>"],
];

/// The number of rows of `REASONING` that prompts ask for. Answers have such tags too: they mark reasoning only before
/// all text, and no template writes the first of the two.
pub(super) const PROMPTED: usize = 5;

/// The markers around the results of calls, which models repeat or make up. What stands between them is no call. Of
/// chat templates in `examples/` of vllm-project/vllm and `models/templates/` of ggml-org/llama.cpp.
pub(super) const RESULTS: [[&str; 2]; 9] = [
    // tool_chat_template_hermes.jinja, and those of Qwen, GLM, Hunyuan and Nemotron.
    ["<tool_response>", "</tool_response>"],
    ["<tool_result>", "</tool_result>"],
    // DeepSeek-V3.2.jinja; prompts for Claude before native tools.
    ["<function_results>", "</function_results>"],
    // tool_chat_template_deepseekr1.jinja and deepseek-ai-DeepSeek-V3.1.jinja.
    ["<｜tool▁outputs▁begin｜>", "<｜tool▁outputs▁end｜>"],
    ["<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>"],
    // CohereForAI-c4ai-command-r7b-12-2024-tool_use.jinja.
    ["<|START_TOOL_RESULT|>", "<|END_TOOL_RESULT|>"],
    // tool_chat_template_mistral.jinja.
    ["[TOOL_RESULTS]", "[/TOOL_RESULTS]"],
    // gemma4.jinja.
    ["<|tool_response>", "<tool_response|>"],
    // google/functiongemma-270m-it.
    ["<start_function_response>", "<end_function_response>"],
];

/// The markers that begin the header of a message of Harmony.
pub(super) const HARMONY_HEADERS: [&str; 2] = ["<|channel|>", "<|start|>"];

/// The ends of reasoning in Harmony: those of the message, and the beginning of the next one where a model leaves them
/// out.
pub(super) const HARMONY_ENDS: [&str; 4] = ["<|end|>", "<|return|>", "<|start|>", "<|channel|>"];

/// Tokens of models that are no text: the ends of messages, and the frames around text.
pub(super) const TOKENS: [&str; 25] = [
    "<|im_start|>assistant",
    "<|im_assistant|>assistant<|im_middle|>",
    "<|START_RESPONSE|>",
    "<|END_RESPONSE|>",
    "<|START_TEXT|>",
    "<|END_TEXT|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|endoftext|>",
    "<|END_OF_TURN_TOKEN|>",
    "<｜end▁of▁sentence｜>",
    "<end_of_turn>",
    "<|end_of_text|>",
    "<|eot|>",
    "<|message_sep|>",
    "<|start_header_id|>assistant<|end_header_id|>",
    ">>>all\n",
    // Chat templates of Gemma 4, Apertus, Seed-OSS and MiniMax M2.
    "<turn|>",
    "<|assistant_end|>",
    "<seed:eos>",
    "[e~[",
];

/// The tokens that end a call of Harmony or `GigaChat`, and other messages too.
pub(super) const CALL_ENDS: [&str; 2] = ["<|call|>", "<|message_sep|>"];

/// The beginnings of messages of others. Behind a message or a call of the model, it makes up what they say: nothing
/// after it is its answer. Of the chat templates of Qwen, Llama, Gemma, GLM, Kimi K2, `DeepSeek` and gpt-oss.
pub(super) const TURNS: [&str; 15] = [
    "<|im_start|>user",
    "<|im_start|>tool",
    "<|im_start|>system",
    "<|start_header_id|>user",
    "<|start_header_id|>ipython",
    "<start_of_turn>user",
    "<|turn>user",
    "<|user|>",
    "<|observation|>",
    "<|im_user|>",
    "<|im_system|>",
    "<｜User｜>",
    "<|start|>user",
    "<|start|>functions.",
    "[INST]",
];
