//! Calls as models write them, in each of the formats.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

/// A call.
pub(crate) type Written = (String, Map<String, Value>);

/// A format, and what is special about it.
pub(crate) struct Writer {
    pub(crate) name: &'static str,
    write: fn(&[Written]) -> String,
    /// True if a text has one call at most.
    pub(crate) is_single: bool,
    /// The way in which it writes values.
    values: Values,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Values {
    /// As JSON.
    Json,
    /// As literals of Python, with the names of arguments.
    Python,
    /// As JSON with bare keys, and tokens around strings.
    Tokens,
    /// As bare text, whose type the schema gives.
    Bare,
}

impl Writer {
    /// The text of these calls; `None` if they cannot be written so.
    pub(crate) fn write(&self, calls: &[Written]) -> Option<String> {
        let is_name = |name: &str, more: &str| {
            let is_part = |char: char| char.is_alphanumeric() || more.contains(char);
            !name.is_empty() && name.chars().all(is_part)
        };
        let fits = |(name, arguments): &Written| {
            let mut keys = arguments.keys();
            is_name(name, "_-.")
                && match self.values {
                    Values::Json => true,
                    Values::Python => keys.all(|key| is_name(key, "_")),
                    Values::Tokens => is_bare(&json!(arguments)),
                    Values::Bare => arguments.iter().all(|(key, value)| {
                        let text = bare(value);
                        is_name(key, "_-.") && text.trim() == text && !text.contains("</")
                    }),
                }
        };
        let is_too_much = self.is_single && calls.len() > 1;
        (!is_too_much && calls.iter().all(fits)).then(|| (self.write)(calls))
    }
}

const JSON: Writer = Writer {
    name: "",
    write: |_| String::new(),
    is_single: false,
    values: Values::Json,
};

const PYTHON: Writer = Writer {
    values: Values::Python,
    ..JSON
};

const BARE: Writer = Writer {
    values: Values::Bare,
    ..JSON
};

macro_rules! writers {
    ($($base:ident $name:literal $write:expr;)*) => {
        &[$(Writer { name: $name, write: $write, ..$base }),*]
    };
}

const TOKENS: Writer = Writer {
    values: Values::Tokens,
    ..JSON
};

const SINGLE: Writer = Writer {
    is_single: true,
    ..JSON
};

/// All of them. One name may stand for several forms.
pub(crate) const ALL: &[Writer] = writers! {
    JSON "emulation" |calls| format!("JSON_BEGIN\n{}\nJSON_END", json!({"tools": objects(calls, "tool", "arguments")}));
    JSON "json" |calls| json!({"tools": objects(calls, "tool", "arguments")}).to_string();
    JSON "json" |calls| objects(calls, "name", "arguments").to_string();
    JSON "json" |calls| each(calls, "\n", |name, arguments| object(name, "parameters", arguments));
    JSON "json" |calls| each(calls, "; ", |name, arguments| object(name, "parameters", arguments));
    JSON "json" |calls| format!("```json\n{}\n```", objects(calls, "name", "arguments"));
    JSON "json" |calls| {
        let calls = calls.iter().map(|(name, arguments)| {
            let arguments = json!(arguments).to_string();
            json!({"id": "c", "type": "function", "function": {"name": name, "arguments": arguments}})
        });
        json!({"tool_calls": calls.collect::<Vec<_>>()}).to_string()
    };
    JSON "hermes" |calls| each(calls, "\n", |name, arguments| {
        format!("<tool_call>\n{}\n</tool_call>", object(name, "arguments", arguments))
    });
    BARE "qwen3_coder" |calls| each(calls, "\n", |name, arguments| {
        format!("<tool_call>\n{}\n</tool_call>", tags(["<function=", ">"], "</function>", "<parameter=$>\n", "\n</parameter>\n", name, arguments))
    });
    BARE "glm4" |calls| each(calls, "\n", |name, arguments| {
        let pairs = pairs(arguments, |key, value| {
            format!("<arg_key>{key}</arg_key>\n<arg_value>{}</arg_value>\n", bare(value))
        });
        format!("<tool_call>{name}\n{pairs}</tool_call>")
    });
    JSON "functionary_v3_1" |calls| each(calls, "", |name, arguments| {
        format!("<function={name}>{}</function>", json!(arguments))
    });
    JSON "functionary_v3_2" |calls| each(calls, "\n", |name, arguments| format!(">>>{name}\n{}", json!(arguments)));
    BARE "seed_oss" |calls| each(calls, "\n", |name, arguments| {
        format!("<seed:tool_call>\n{}\n</seed:tool_call>", tags(["<function=", ">"], "</function>", "<parameter=$>", "</parameter>\n", name, arguments))
    });
    BARE "minimax_m2" |calls| {
        let calls = each(calls, "\n", |name, arguments| {
            tags(["<invoke name=\"", "\">"], "</invoke>", "<parameter name=\"$\">", "</parameter>\n", name, arguments)
        });
        format!("<minimax:tool_call>\n{calls}\n</minimax:tool_call>")
    };
    BARE "anthropic_xml" |calls| {
        let calls = each(calls, "\n", |name, arguments| {
            tags(["<invoke name=\"", "\">"], "</invoke>", "<parameter name=\"$\">", "</parameter>\n", name, arguments)
        });
        format!("<function_calls>\n{calls}\n</function_calls>")
    };
    PYTHON "olmo3" |calls| format!("<function_calls>{}</function_calls>", each(calls, "\n", python));
    BARE "deepseek_v3_2" |calls| {
        let calls = each(calls, "\n", |name, arguments| {
            let pairs = pairs(arguments, |key, value| {
                let is_string = value.is_string();
                let value = bare(value);
                format!("<｜DSML｜parameter name=\"{key}\" string=\"{is_string}\">{value}</｜DSML｜parameter>\n")
            });
            format!("<｜DSML｜invoke name=\"{name}\">\n{pairs}</｜DSML｜invoke>")
        });
        format!("<｜DSML｜function_calls>\n{calls}\n</｜DSML｜function_calls>")
    };
    BARE "step3" |calls| {
        let calls = each(calls, "\n", |name, arguments| {
            let call = tags(["<steptml:invoke name=\"", "\">"], "</steptml:invoke>", "<steptml:parameter name=\"$\">", "</steptml:parameter>\n", name, arguments);
            format!("<｜tool_call_begin｜>function<｜tool_sep｜>{call}<｜tool_call_end｜>")
        });
        format!("<｜tool_calls_begin｜>\n{calls}\n<｜tool_calls_end｜>")
    };
    JSON "deepseek_v3" |calls| {
        let calls = each(calls, "\n", |name, arguments| {
            format!("<｜tool▁call▁begin｜>function<｜tool▁sep｜>{name}\n```json\n{}\n```<｜tool▁call▁end｜>", json!(arguments))
        });
        format!("<｜tool▁calls▁begin｜>{calls}<｜tool▁calls▁end｜>")
    };
    JSON "deepseek_v3_1" |calls| {
        let calls = each(calls, "", |name, arguments| {
            format!("<｜tool▁call▁begin｜>{name}<｜tool▁sep｜>{}<｜tool▁call▁end｜>", json!(arguments))
        });
        format!("<｜tool▁calls▁begin｜>{calls}<｜tool▁calls▁end｜>")
    };
    JSON "kimi_k2" |calls| {
        let calls = each(calls, "", |name, arguments| {
            format!("<|tool_call_begin|>functions.{name}:0<|tool_call_argument_begin|>{}<|tool_call_end|>", json!(arguments))
        });
        format!("<|tool_calls_section_begin|>{calls}<|tool_calls_section_end|>")
    };
    JSON "mistral" |calls| format!("[TOOL_CALLS] {}", objects(calls, "name", "arguments"));
    JSON "mistral" |calls| each(calls, "", |name, arguments| format!("[TOOL_CALLS]{name}[ARGS]{}", json!(arguments)));
    JSON "mistral" |calls| each(calls, "", |name, arguments| format!("[TOOL_CALLS]{name}{}", json!(arguments)));
    JSON "llama3_json" |calls| format!("<|python_tag|>{}", each(calls, "; ", |name, arguments| object(name, "parameters", arguments)));
    PYTHON "pythonic" |calls| format!("[{}]", each(calls, ", ", python));
    PYTHON "pythonic" |calls| format!("<|python_start|>[{}]<|python_end|>", each(calls, ", ", python));
    PYTHON "lfm2" |calls| format!("<|tool_call_start|>[{}]<|tool_call_end|>", each(calls, ", ", python));
    JSON "lfm2" |calls| format!("<|tool_call_start|>{}<|tool_call_end|>", objects(calls, "name", "arguments"));
    JSON "granite" |calls| format!("<|tool_call|>{}", objects(calls, "name", "arguments"));
    JSON "granite" |calls| format!("<|tool_call|>{}<|/tool_call|>", objects(calls, "name", "arguments"));
    JSON "granite_20b_fc" |calls| each(calls, "\n", |name, arguments| {
        format!("<function_call> {}", object(name, "arguments", arguments))
    });
    JSON "hunyuan" |calls| format!("<tool_calls>{}</tool_calls>", objects(calls, "name", "arguments"));
    JSON "hunyuan" |calls| {
        let calls = each(calls, "\n", |name, arguments| object(name, "arguments", arguments));
        format!("<tool_calls>\n{calls}\n</tool_calls>")
    };
    JSON "nemotron" |calls| format!("<TOOLCALL>{}</TOOLCALL>", objects(calls, "name", "arguments"));
    SINGLE "internlm2" |calls| {
        let call = each(calls, "", |name, arguments| object(name, "parameters", arguments));
        format!("<|action_start|><|plugin|>{call}<|action_end|>")
    };
    JSON "cohere" |calls| format!("<|START_ACTION|>{}<|END_ACTION|>", objects(calls, "tool_name", "parameters"));
    JSON "apertus" |calls| {
        let calls: Vec<_> = calls.iter().map(|(name, arguments)| json!({name: arguments})).collect();
        format!("<|tools_prefix|>{}<|tools_suffix|>", json!(calls))
    };
    SINGLE "gigachat3" |calls| {
        let call = each(calls, "", |name, arguments| object(name, "arguments", arguments));
        format!("<|message_sep|>\n\nfunction call<|role_sep|>\n{call}<|message_sep|>\n\n")
    };
    SINGLE "gigachat3" |calls| format!("<|function_call|>{}", each(calls, "", |name, arguments| object(name, "arguments", arguments)));
    BARE "longcat" |calls| each(calls, "\n", |name, arguments| {
        let pairs = pairs(arguments, |key, value| {
            let value = bare(value);
            format!("<longcat_arg_key>{key}</longcat_arg_key>\n<longcat_arg_value>{value}</longcat_arg_value>\n")
        });
        format!("<longcat_tool_call>{name}\n{pairs}</longcat_tool_call>")
    });
    JSON "longcat" |calls| each(calls, "\n", |name, arguments| {
        format!("<longcat_tool_call>{}</longcat_tool_call>", object(name, "arguments", arguments))
    });
    TOKENS "gemma4" |calls| each(calls, "", |name, arguments| {
        format!("<|tool_call>call:{name}{}<tool_call|>", quoted(&json!(arguments), "<|\"|>"))
    });
    TOKENS "functiongemma" |calls| each(calls, "", |name, arguments| {
        format!("<start_function_call>call:{name}{}<end_function_call>", quoted(&json!(arguments), "<escape>"))
    });
    JSON "phi4_mini" |calls| format!("functools{}", objects(calls, "name", "arguments"));
    JSON "command_r" |calls| format!("Action: ```json\n{}\n```", objects(calls, "tool_name", "parameters"));
    SINGLE "command_r" |calls| {
        let call = calls.iter().map(|(name, arguments)| json!({"action": name, "action_input": arguments}).to_string());
        format!("Action:\n```json\n{}\n```", call.collect::<String>())
    };
    SINGLE "react" |calls| each(calls, "", |name, arguments| format!("Action: {name}\nAction Input: {}", json!(arguments)));
    JSON "hermes_variants" |calls| each(calls, "\n", |name, arguments| {
        format!("<tool>\n{}\n</tool>", object(name, "arguments", arguments))
    });
    JSON "harmony" |calls| each(calls, "<|start|>assistant", |name, arguments| {
        format!("<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>{}<|call|>", json!(arguments))
    });
    PYTHON "tool_code" |calls| format!("```tool_code\n{}\n```", each(calls, "\n", python));
    PYTHON "tool_code" |calls| format!("```tool_code\n{}\n```", each(calls, "\n", |name, arguments| {
        format!("print({})", python(name, arguments))
    }));
};

fn each(
    calls: &[Written],
    between: &str,
    write: impl Fn(&str, &Map<String, Value>) -> String,
) -> String {
    let calls = calls.iter().map(|(name, arguments)| write(name, arguments));
    calls.collect::<Vec<_>>().join(between)
}

fn pairs(arguments: &Map<String, Value>, write: impl Fn(&str, &Value) -> String) -> String {
    arguments
        .iter()
        .map(|(key, value)| write(key, value))
        .collect()
}

fn object(name: &str, key: &str, arguments: &Map<String, Value>) -> String {
    format!(
        "{{\"name\": {}, \"{key}\": {}}}",
        json!(name),
        json!(arguments)
    )
}

fn objects(calls: &[Written], name_key: &str, key: &str) -> Value {
    let object = |(name, arguments): &Written| json!({name_key: name, key: arguments});
    calls.iter().map(object).collect()
}

/// A tag for each argument, with the name in place of `$`.
fn tags(
    open: [&str; 2],
    end: &str,
    open_argument: &str,
    end_argument: &str,
    name: &str,
    arguments: &Map<String, Value>,
) -> String {
    let pairs = pairs(arguments, |key, value| {
        format!(
            "{}{}{end_argument}",
            open_argument.replace('$', key),
            bare(value)
        )
    });
    format!("{}{name}{}\n{pairs}{end}", open[0], open[1])
}

/// Returns true if all keys are names, and no string has a token in it.
fn is_bare(value: &Value) -> bool {
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    match value {
        Value::String(text) => !text.contains('<'),
        Value::Array(items) => items.iter().all(is_bare),
        Value::Object(members) => members
            .iter()
            .all(|(key, value)| !key.is_empty() && key.chars().all(is_part) && is_bare(value)),
        _ => true,
    }
}

/// A string as it is, and all else as JSON.
fn bare(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn python(name: &str, arguments: &Map<String, Value>) -> String {
    let arguments: Vec<_> = arguments
        .iter()
        .map(|(key, value)| format!("{key}={}", literal(value)))
        .collect();
    format!("{name}({})", arguments.join(", "))
}

/// A literal of Python.
fn literal(value: &Value) -> String {
    let list = |values: Vec<String>| values.join(", ");
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => {
            let text = text.replace('\\', "\\\\").replace('\'', "\\'");
            format!("'{}'", text.replace('\n', "\\n"))
        }
        Value::Array(items) => format!("[{}]", list(items.iter().map(literal).collect())),
        Value::Object(members) => {
            let members = members.iter();
            let member = |(key, value): (&String, &Value)| {
                format!("{}: {}", literal(&json!(key)), literal(value))
            };
            format!("{{{}}}", list(members.map(member).collect()))
        }
    }
}

/// A value with strings between tokens, and keys as they are.
fn quoted(value: &Value, token: &str) -> String {
    match value {
        Value::String(text) => format!("{token}{text}{token}"),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(|item| quoted(item, token)).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(members) => {
            let mut text = String::from("{");
            for (place, (key, value)) in members.iter().enumerate() {
                let comma = if place == 0 { "" } else { "," };
                let _ = write!(text, "{comma}{key}:{}", quoted(value, token));
            }
            text + "}"
        }
        value => value.to_string(),
    }
}
