//! What is a call, and what is not.

use super::parser;
use crate::TextSource;

/// The calls of a text, its text and the names of refused calls.
#[track_caller]
fn check(text: &str, calls: &[(&str, &str)], rest: &str, refused: usize) {
    let read = parser().parse(text);
    let found: Vec<_> = read
        .calls
        .iter()
        .map(|call| (&*call.name, &*call.arguments))
        .collect();
    assert_eq!(
        (found.as_slice(), read.text.as_str(), read.refused.len()),
        (calls, rest, refused),
        "{text}\n{read:?}"
    );
}

const PING: (&str, &str) = ("ping", "{}");

#[test]
fn an_example_of_a_call_is_no_call() {
    for text in [
        "Write `<tool_call>{\"name\": \"ping\", \"arguments\": {}}</tool_call>` to call it.",
        "Use the <tool_call> tag, or the <think> tag.",
        "Code:\n```python\nprint(\"<tool_call>{}</tool_call>\")\n[ping()]\n```\nDone.",
        "```\n<tool_call>{\"name\": \"ping\", \"arguments\": {}}</tool_call>\n```",
        "See [ping](https://example.com) and [1].",
        "The answer is {\"city\": \"Oslo\", \"days\": 3}.",
        "I would call ping() now.",
        "<response>It rains.</response>",
        "{\"type\": \"function\", \"function\": {\"name\": \"ping\", \"parameters\": {\"type\": \"object\", \"properties\": {}}}}",
        "{\"tools\": [{\"name\": \"ping\", \"description\": \"\", \"parameters\": {\"type\": \"object\"}}]}",
        "[{\"name\": \"ping\"}, {\"name\": \"write_file\"}]",
        "{\"tools\": [], \"answer\": \"It rains.\"}",
        "Write <tool_call>{\"name\": \"<name>\", \"arguments\": {}}</tool_call> for each.",
        "{\"tools\": [{\"name\": \"hammer\", \"price\": 3}]}",
        "Use <tool_call> and </tool_call> around it.",
        "{\"name\": \"ping\", \"description\": \"Pings.\", \"parameters\": {}}",
        "[{\"name\": \"ping\", \"description\": \"Pings.\", \"parameters\": {}}]",
        "{\"ping\": {}}",
        "{\"action\": \"ping\"}",
        "Set {\"tool\": \"<name>\", \"arguments\": {}} in the request.",
        "vec![ping(a), ping(b)]",
        "See [ping()] for it.",
        "ping() is a call.",
        "ping()!",
        "get_weather(city=\"Oslo\")\nreturns text.",
        "print(ping) is code.",
        "You can call:\n```\nget_weather(city='Oslo')\n```\nLike so.",
        "Action: pong\nAction Input: Oslo",
        "to=functions.ping is a recipient",
        "```\nplot(a=1)\n```",
        ">>> ping\nAction: do it\nfunctools are fun",
        "Code:\n~~~python\nprint(\"<tool_call>{}</tool_call>\")\n[ping()]\n```\n~~~\nDone.",
        "~~~\n<tool_call>{\"name\": \"ping\", \"arguments\": {}}</tool_call>\n~~~",
        "~~~~\n~~~\n[ping()]\n~~~~",
        "Do not ever write {\"name\": \"ping\", \"arguments\": {}}, since it is slow.",
        "Never send <tool_call>{\"name\": \"ping\", \"arguments\": {}}</tool_call> to a server.",
        "A.\n\n```json\n{\"name\": \"ping\", \"arguments\": {}}\n```\n\nB.",
        "> {\"name\": \"ping\", \"arguments\": {}}",
        "Like so:\n\n    {\"name\": \"ping\", \"arguments\": {}}",
        "- {\"name\": \"ping\", \"arguments\": {}}",
        "Mistral writes [TOOL_CALLS] before its calls, and Hermes <tool_call>.",
        "The token [TOOL_CALLS] starts a call.\n\nB.",
        "[ping()]: https://example.com",
        "{\"ping\": {\"a\": 1}}",
        "{\"name\": \"ping\", \"input\": {}, \"expected\": \"pong\"}",
        "{\"tools\": []}",
        "The token <|im_end|> ends a message.",
        "Let me see: [ping()]",
        "~~No.~~ {\"name\": \"ping\", \"arguments\": {}}",
        "a ~~~ b: {\"name\": \"ping\", \"arguments\": {}}",
        "ping(1)",
        "Hell<tool_call>{\"name\": \"ping\", \"arguments\": {}}</tool_call>o, world",
    ] {
        check(text, &[], text, 0);
    }
}

#[test]
fn text_around_calls_is_told_without_markup() {
    let call = "{\"name\": \"ping\", \"arguments\": {}}";
    check(
        &format!("A. <tool_call>{call}</tool_call> B."),
        &[PING],
        "A. B.",
        0,
    );
    let block = format!("```json\n{call}\n```");
    check(&format!("A.\n\n{block}\n"), &[PING], "A.", 0);
    check(&format!("{block}\n\nB."), &[PING], "B.", 0);
    check(
        &format!("<tool_call>\n```json\n{call}\n```\n</tool_call>"),
        &[PING],
        "",
        0,
    );
    check(
        &format!("<tool_call>{call}<tool_call>{call}</tool_call>"),
        &[PING, PING],
        "",
        0,
    );
    check(
        "```\n[ping(), get_weather(city='Oslo')]\n```",
        &[PING, ("get_weather", "{\"city\":\"Oslo\"}")],
        "",
        0,
    );
    check(
        "Action: ping\nAction Input: {}\nObservation: pong\nAction: ping\nAction Input: {}",
        &[PING],
        "",
        0,
    );
    check("[TOOL_CALLS]ping[ARGS]{}</s>", &[PING], "", 0);
}

#[test]
fn what_follows_a_call_or_a_mention_is_not_lost() {
    let call = "{\"name\": \"ping\", \"arguments\": {}}";
    let code = "```python\nprint(1)\n```\nB.";
    check(&format!("{call}\n{code}"), &[PING], code, 0);
    check(&format!("<tool_call>{call}\n{code}"), &[PING], code, 0);
    check(
        &format!("[TOOL_CALLS]ping[ARGS]{{}}\n{code}"),
        &[PING],
        code,
        0,
    );
    check(&format!("````json\n{call}\n````\nB."), &[PING], "B.", 0);
    check(
        &format!("Set {{a: b}}. <tool_call>{call}</tool_call>"),
        &[PING],
        "Set {a: b}.",
        0,
    );
    check(&format!("<tool_call>{call}</tool_ca"), &[PING], "", 0);
    let stray = format!("It's `x. <tool_call>{call}</tool_call> B.");
    check(&stray, &[PING], "It's `x. B.", 0);
    let stray = format!("O`z. <tool_call>\n{call}\n</tool_call>\nB.");
    check(&stray, &[PING], "O`z. B.", 0);
    check(&format!("```json\n{call}\n``"), &[PING], "", 0);
}

#[test]
fn a_call_of_python_as_the_whole_text_is_a_call() {
    let oslo = ("get_weather", "{\"city\":\"Oslo\"}");
    check("ping()", &[PING], "", 0);
    check("\n get_weather(city='Oslo')\n\n", &[oslo], "", 0);
    check("get_weather(city='Oslo');\nping()\n", &[oslo, PING], "", 0);
    check(
        "print(default_api.get_weather(city='Oslo'))<|eot_id|>",
        &[oslo],
        "",
        0,
    );
    check("<think>Hm.</think>\nping()", &[PING], "", 0);
    check("Let me see:\n[ping()]", &[PING], "Let me see:", 0);
    check("get_weather(city='Os", &[], "get_weather(city='Os", 0);
    check(
        "<|python_tag|>print(search.call(query='x'))",
        &[("search", "{\"query\":\"x\"}")],
        "",
        0,
    );
}

#[test]
fn messages_that_a_model_makes_up_are_dropped() {
    let call = "<tool_call>{\"name\": \"ping\", \"arguments\": {}}</tool_call>";
    let made_up = "<tool_response>pong</tool_response><|im_end|>\n<|im_start|>assistant\n";
    check(
        &format!("{call}<|im_end|>\n<|im_start|>user\n{made_up}{call}"),
        &[PING],
        "",
        0,
    );
    check(&format!("{call}<|observation|>{call}"), &[PING], "", 0);
    check(
        &format!("Hello.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n{call}"),
        &[],
        "Hello.",
        0,
    );
    let text = "The message begins with <|im_start|>user in ChatML.";
    check(text, &[], text, 0);
}

#[test]
fn an_action_with_a_line_of_text_is_a_call_of_a_tool_with_one_parameter() {
    let oslo = ("search", "{\"query\":\"Oslo today\"}");
    for text in [
        "Action: search\nAction Input: Oslo today",
        "Action: search\naction input: \"Oslo today\"\nObservation: x",
        "Action: search\nAction Input: Oslo today\nThought: x",
    ] {
        assert_eq!(parser().parse(text).calls.len(), 1, "{text}");
        check(
            &text[..text.find("\nT").unwrap_or(text.len())],
            &[oslo],
            "",
            0,
        );
    }
    check("Action: search\nAction Input: a\n\nb", &[], "", 1);
    check("Action: get_weather\nAction Input: Oslo", &[], "", 1);
    let header = "to=functions.ping<|channel|>commentary json<|message|>{}<|call|>";
    check(header, &[PING], "", 0);
    check("ping\n{}", &[PING], "", 0);
    check("pong\n{}", &[], "pong\n{}", 0);
    check("ping\nis a tool", &[], "ping\nis a tool", 0);
    let stopped = "<start_function_call>call:ping{}<end_function_call><start_function_response>";
    check(stopped, &[PING], "", 0);
}

#[test]
fn a_closing_marker_that_was_missing_is_no_text() {
    let call = "{\"name\": \"ping\", \"arguments\": {}}";
    check(
        &format!("<tool_call>{call} So.</tool_call> B."),
        &[PING],
        "So. B.",
        0,
    );
    check(&format!("{call}\n</tool_call>"), &[PING], "", 0);
    check("<tool_call></tool_call> B.", &[], "B.", 1);
    check(
        &format!("```\nJSON_BEGIN\n{call}\nJSON_END\n```\n"),
        &[PING],
        "",
        0,
    );
    check(
        &format!("<tool_call>{call}</tool_call></tool_call>"),
        &[PING],
        "</tool_call>",
        0,
    );
}

#[test]
fn a_marked_call_of_a_decision_makes_drafts_without_markers_void() {
    let draft = "{\"name\": \"write_file\", \"arguments\": {}}";
    let text = format!("First\n{draft}.\n<tool_call>{{\"name\": \"ping\"}}</tool_call>");
    let read = parser().with_source(TextSource::Decision).parse(&text);
    let names: Vec<_> = read.calls.iter().map(|call| &call.name).collect();
    assert_eq!(names, ["ping"]);
    check(&format!("<think>{draft}</think>\n[ping()]"), &[PING], "", 0);
    check(
        &format!("Maybe <tool_call>{draft}</tool_call>? No.</think>\n[ping()]"),
        &[PING],
        "",
        0,
    );
}

#[test]
fn what_was_attempted_is_told() {
    let refused = |text: &str| {
        let read = parser().parse(text);
        assert_eq!(read.calls, [], "{text}");
        assert!(!read.refused.is_empty(), "{text} {read:?}");
        let is_text = read.refused.iter().all(|refused| refused.is_text);
        assert_eq!(read.text, if is_text { text } else { "" }, "{text}");
    };
    refused("<tool_call>{\"name\": \"pong\", \"arguments\": {}}</tool_call>");
    refused("<tool_call>{\"name\": \"PING\", \"arguments\": {}}</tool_call>");
    refused(
        "<tool_call>\n<function=get_weather>\n<parameter=city>Oslo<parameter=days>3</parameter></function></tool_call>",
    );
    refused("{\"tools\": [{\"tool\": 42, \"arguments\": {}}]}");
    refused("{\"tools\": [{\"arguments\": {}}]}");
    refused("[pong(a=1)]");
    refused("```tool_code\nping(1)\n```");
    refused("<tool_call>{\"name\": \"ping\", \"arguments\": [1]}</tool_call>");
    refused(
        "<tool_call>{\"name\": \"ping\", \"name\": \"write_file\", \"arguments\": {}}</tool_call>",
    );
    refused("<function=pong>{}</function>");
    refused("{\"tool\": \"ping\", \"arguments\": {\"a\": \"b");
}

#[test]
fn tags_of_reasoning_in_an_answer_are_text() {
    for text in [
        "The <think> tag opens, and the </think> tag closes.",
        "<answer>\n<reasoning>x</reasoning>\n</answer>",
        "<answer><reflection>x</reflection></answer>",
        "First.\n<thinking>Hm.</thinking>\nThen.",
    ] {
        check(text, &[], text, 0);
        assert_eq!(parser().parse(text).reasoning, "", "{text}");
    }
    for text in [
        "<thinking>Hm.</thinking>\nHello",
        "<think>\nHm.\n</think>Hello",
    ] {
        let read = parser().parse(text);
        assert_eq!(
            (read.reasoning.as_str(), read.text.as_str()),
            ("Hm.", "Hello")
        );
    }
    let read = parser().parse("Sure.<think>\nHm.\n</think>\nHello");
    assert_eq!(
        (read.reasoning.as_str(), read.text.as_str()),
        ("Hm.", "Sure.\nHello")
    );
}

#[test]
fn reasoning_is_told_apart() {
    let read = parser().parse("<think>\nHm.\n</think>\n\nHello <think>");
    assert_eq!(
        (read.reasoning.as_str(), read.text.as_str()),
        ("Hm.", "Hello <think>")
    );
    let read = parser().parse("Hm.\n</think>\nHello");
    assert_eq!(
        (read.reasoning.as_str(), read.text.as_str()),
        ("Hm.", "Hello")
    );
    let read = parser().with_open_reasoning().parse("Hm.\n</think>\nHello");
    assert_eq!(
        (read.reasoning.as_str(), read.text.as_str()),
        ("Hm.", "Hello")
    );
    let read = parser().parse("<think>Hm. <tool_call>{\"name\": \"ping\"}</tool_call>");
    assert_eq!((read.calls.len(), read.text.as_str()), (0, ""));
}

#[test]
fn a_call_in_a_code_block_of_tildes_is_one() {
    let call = "{\"name\": \"ping\", \"arguments\": {}}";
    check(&format!("~~~json\n{call}\n~~~"), &[PING], "", 0);
    check(&format!("~~~\n{call}\n~~~\nDone."), &[PING], "Done.", 0);
    check("~~~tool_code\nping()\n~~~", &[PING], "", 0);
    // Two of them strike text through, and within a line they are none.
    check(&format!("~~No.~~\n{call}"), &[PING], "~~No.~~", 0);
    check(&format!("a ~~~ b:\n{call}"), &[PING], "a ~~~ b:", 0);
}

#[test]
fn space_may_stand_before_the_end_of_a_tag() {
    let text = "<tool_call >{\"name\": \"ping\", \"arguments\": {}}</tool_call  >";
    check(text, &[PING], "", 0);
    check("<think >[ping()]</think >Yes.", &[], "Yes.", 0);
}

#[test]
fn reasoning_of_harmony_ends_where_the_next_message_begins() {
    let analysis = "<|channel|>analysis<|message|>I think [ping()].";
    let call = "to=functions.ping <|constrain|>json<|message|>{}<|call|>";
    for next in [
        format!("<|start|>assistant<|channel|>commentary {call}"),
        format!("<|channel|>commentary {call}"),
        format!("<|end|><|start|>assistant<|channel|>commentary {call}"),
    ] {
        check(&format!("{analysis}{next}"), &[PING], "", 0);
    }
    let answer = "<|start|>assistant<|channel|>final<|message|>Done.<|return|>";
    check(&format!("{analysis}{answer}"), &[], "Done.", 0);
}

/// A typed answer is one, also where it looks like a call.
#[test]
fn what_fits_the_schema_of_the_answer_is_the_answer() {
    let schema = r#"{"type": "object", "required": ["name", "parameters"], "properties": {"name": {"type": "string"}}}"#;
    let schema = toolwright_core::Schema::from_text(schema).expect("is JSON");
    let answering = parser().with_answer_schema(schema);
    let answer = "{\"name\": \"ping\", \"parameters\": {}}";
    for text in [
        answer.to_owned(),
        format!("```json\n{answer}\n```"),
        format!("So:\n{answer}"),
    ] {
        let read = answering.parse(&text);
        assert_eq!((read.calls.len(), read.text), (0, text));
    }
    let call = "{\"name\": \"ping\", \"arguments\": {}}";
    assert_eq!(answering.parse(call).calls.len(), 1);
    let marked = format!("<tool_call>{answer}</tool_call>");
    assert_eq!(answering.parse(&marked).calls.len(), 1);
}

#[test]
fn a_sign_without_space_behind_it_begins_no_list() {
    let call = "<tool_call>{\"name\": \"ping\", \"arguments\": {}}</tool_call>";
    for text in [
        "**Checking the weather.**",
        "3.5 degrees. I look.",
        "-5 it is. I look.",
        "*Looking.*",
        "1.Look.",
    ] {
        check(&format!("{text} {call}"), &[PING], text, 0);
    }
    for text in ["1. Look.", "- Look.", "* **Look.**", "It is **so**", "-"] {
        let text = format!("{text} {call}");
        check(&text, &[], &text, 0);
    }
}

/// Formats with tokens have no line break before them.
#[test]
fn a_token_behind_the_last_line_begins_a_call() {
    let call = "<|tool_call_start|>[ping()]<|tool_call_end|>";
    let tag = "<tool_call>{\"name\": \"ping\", \"arguments\": {}}</tool_call>";
    for text in [
        "1. Look up Oslo.\n2. Look up Bergen.",
        "I look it up (in the list)",
        "I use `ping`",
        "好的，我来查一下",
        "- 查一下",
    ] {
        check(&format!("{text}{call}"), &[PING], text, 0);
        check(&format!("{text}{call}<|im_end|>"), &[PING], text, 0);
        let behind = format!("{text}{call} and so on");
        check(&behind, &[], &behind, 0);
    }
    for text in [
        format!("- Look.{tag}"),
        format!("查一下{tag}"),
        format!("- {call}"),
        format!("- Llama: {call}"),
        format!("Never write {call}"),
    ] {
        check(&text, &[], &text, 0);
    }
}

#[test]
fn calls_and_made_up_results_are_no_text_behind_a_call() {
    let call = "<tool_call>{\"name\": \"ping\", \"arguments\": {}}</tool_call>";
    let text = "Let me look both up:";
    check(&format!("{text} {call}\n{call}"), &[PING, PING], text, 0);
    let result = "<tool_response>\npong\n</tool_response>";
    check(
        &format!("{text} {call}\n{result}"),
        &[PING],
        &format!("{text} {result}"),
        0,
    );
    let log = format!("Log: {call}\nLog: done");
    check(&log, &[], &log, 0);
}

/// No call is taken from an answer; what frames its message is no part of it.
#[test]
fn an_answer_has_no_frames_and_no_made_up_turns() {
    let answering = parser().with_source(TextSource::Answer);
    let harmony = "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>It is 7 °C.<|return|>";
    let read = answering.parse(harmony);
    assert_eq!(
        (read.reasoning.as_str(), read.text.as_str()),
        ("Hm.", "It is 7 °C.")
    );
    let read = answering.parse("It is 7.<|im_end|>\n<|im_start|>user\nAnd tomorrow?");
    assert_eq!(read.text, "It is 7.");
    for text in [
        "<tool_call>{\"name\": \"ping\", \"arguments\": {}}</tool_call>",
        "[TOOL_CALLS]ping[ARGS]{}",
        "ping()",
        "{\"name\": \"ping\", \"arguments\": {}}",
        "The token <|im_end|> ends a message.",
    ] {
        let read = answering.parse(&format!("{text}<|im_end|>"));
        assert_eq!((read.text.as_str(), read.calls.len()), (text, 0));
        assert_eq!(read.refused, [], "{text}");
    }
}

#[test]
fn a_quoted_call_beside_one_that_is_too_long_is_not_run() {
    let call = "<tool_call>{\"name\": \"ping\", \"arguments\": {}}</tool_call>";
    let long = call.replace("{}}", &format!("{{\"a\": \"{}\"}}}}", "x".repeat(200)));
    let parser = parser().with_max_bytes(150);
    for before in ["> ", "Never write "] {
        let read = parser.parse(&format!("{before}{call} {long}"));
        assert_eq!(read.calls, [], "{before}");
        let read = parser.parse(&format!("{before}{long} {call}"));
        assert_eq!(read.calls, [], "{before}");
    }
    assert_eq!(parser.parse(&format!("{call} {long}")).calls.len(), 1);
}

#[test]
fn the_end_of_a_call_may_stand_in_a_value() {
    let call = |content: &str| {
        format!(
            "<tool_call>write_file\n<arg_key>content</arg_key>\n<arg_value>{content}</arg_value>\n</tool_call>"
        )
    };
    for (content, json) in [
        ("a </tool_call> b", r#"{"content":"a </tool_call> b"}"#),
        (
            "</tool_call></tool_call>",
            r#"{"content":"</tool_call></tool_call>"}"#,
        ),
    ] {
        let text = call(content) + "\n" + &call("c");
        check(
            &text,
            &[("write_file", json), ("write_file", r#"{"content":"c"}"#)],
            "",
            0,
        );
    }
    // A value without an end of its own takes no other call into itself.
    let cut = "<tool_call>write_file\n<arg_key>content</arg_key>\n<arg_value>a</tool_call>\n";
    let read = parser().parse(&(cut.to_owned() + &call("c")));
    assert_eq!((read.calls.len(), read.refused.len()), (1, 1), "{read:?}");
    let read = parser().parse(cut);
    assert_eq!((read.calls.len(), read.refused.len()), (0, 1), "{read:?}");
}

#[test]
fn a_token_in_a_sentence_is_text() {
    for text in [
        "Qwen ends each message with <|im_end|> and a new line.",
        "The tokens `<|eot_id|>` and <|endoftext|>, too, are special.",
        "- <|im_end|>\n- <|eot_id|>\n- <end_of_turn>",
        "Split at <|im_end|>, then trim.",
        "It is \"<|im_end|>\".",
        "It writes (<|im_end|>).",
        "| token | meaning |\n| --- | --- |\n| <|im_end|> | end |",
        "# <|im_end|>\n\nEnds a message.",
        "The token is <|im_end|>.\nIt ends a message.",
    ] {
        check(text, &[], text, 0);
    }
    check("Done.<|im_end|>", &[], "Done.", 0);
}
