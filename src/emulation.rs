//! Calls of tools that models write as text.
//!
//! A model without native tool calling writes its calls in the text of its reply, in a format of its own:
//! `<tool_call>{"name": …}</tool_call>`, `[get_weather(city="Oslo")]`, and many others. So does a model whose server
//! does not know its format. [`ToolText`] reads them.
//!
//! ```
//! use toolwright::{ToolDefinition, emulation::ToolText, schema::Schema};
//!
//! let schema = Schema::from_text(r#"{"type": "object", "properties": {"city": {"type": "string"}}}"#)?;
//! let tools = vec![ToolDefinition::new("get_weather", "The weather.", schema)];
//! let parser = ToolText::new(&tools.into());
//!
//! let reply = parser.parse(
//!     "<think>I need the weather.</think>Let me look.\n\
//!      <tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}</tool_call>",
//! );
//! assert_eq!(reply.calls[0].name, "get_weather");
//! assert_eq!(reply.calls[0].arguments, r#"{"city": "Oslo"}"#);
//! assert_eq!(reply.text, "Let me look.");
//! assert_eq!(reply.reasoning, "I need the weather.");
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! # What is a call
//!
//! | In the text | Result |
//! | --- | --- |
//! | a declared tool, in any format | a call |
//! | an undeclared name, also one in another case | refused: [`RefusalReason::UnknownTool`] |
//! | arguments that are nearly JSON | repaired by [`repair_json`](crate::arguments::repair_json), or refused |
//! | a call that the text cuts off | refused: nothing is completed |
//! | a call in reasoning | a draft: reasoning |
//! | a call in a sentence, in code within a line or in a code block of more than that call | text |
//! | JSON that is no call | text |
//! | calls between markers, and others without | the ones between markers |
//!
//! Values are not changed to fit the schema: [`Leniency`](crate::arguments::Leniency) does that, where it is on. Values
//! that a format writes as bare text take the type that the schema declares.
//!
//! # Formats
//!
//! Hermes, Qwen 2.5 and 3, Qwen3-Coder, Nemotron, GLM 4.5, `LongCat`, ERNIE, Llama 3 and 4, Mistral v1 to v13,
//! `DeepSeek` V3, R1, V3.1 and V3.2, Step 3, Kimi K2, Granite, Phi-4, Hunyuan, Jamba, `MiniMax` M1 and M2, Command R and
//! A, `InternLM` 2, Apertus, `GigaChat` 3, Gemma 3 and 4, `FunctionGemma`, LFM2, Olmo 3, Seed-OSS, Functionary, Harmony
//! (gpt-oss), xLAM, XML as for Claude, `ReAct`, and JSON in all usual shapes. They are not chosen: each text may have
//! another one, and [`TextCalls::format`] says which it was.

pub use toolwright_emulation::{
    RefusalReason, RefusedCall, TextCalls, TextEnd, TextPiece, TextStream, ToolText,
};
