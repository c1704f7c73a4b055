//! What formats write before the arguments of a call: the name of the tool, and an id where there is one.

use crate::{
    item::named::Name,
    marker::{self, Match},
};

fn is_name(text: &str) -> bool {
    let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.');
    !text.is_empty() && text.chars().all(is_part)
}

fn name(text: &str) -> Option<Name<'_>> {
    let name = text.trim();
    is_name(name).then_some(Name { name, id: "" })
}

/// `<function=name>`, or a tag with the name as an attribute: `<invoke name="name">`.
pub(super) fn tag(text: &str) -> Option<Name<'_>> {
    let tag = text.trim().strip_prefix('<')?.strip_suffix('>')?;
    let (before, name) = tag.split_once('=')?;
    let name = name.trim().trim_matches(['"', '\'']);
    let is_tag = ["function", "function name", "invoke name"]
        .iter()
        .any(|end| before.trim().ends_with(end));
    (is_tag && !name.is_empty() && !name.contains(['<', '>'])).then_some(Name { name, id: "" })
}

/// A name on a line of its own.
pub(super) fn line(text: &str) -> Option<Name<'_>> {
    let (first, rest) = text.split_once('\n')?;
    rest.trim().is_empty().then(|| name(first))?
}

/// A name on a line of its own, and the beginning of a code block.
pub(super) fn fenced(text: &str) -> Option<Name<'_>> {
    let (first, rest) = text.split_once('\n')?;
    matches!(rest.trim(), "" | "```" | "```json").then(|| name(first))?
}

/// `name<｜tool▁sep｜>`
pub(super) fn deepseek_v3_1(text: &str) -> Option<Name<'_>> {
    let (before, after) = split(text, "<｜tool▁sep｜>")?;
    after.trim().is_empty().then(|| name(before))?
}

/// `functions.name:0<|tool_call_argument_begin|>`, which is the id too.
pub(super) fn kimi_k2(text: &str) -> Option<Name<'_>> {
    let (before, after) = split(text, "<|tool_call_argument_begin|>")?;
    let id = before.trim();
    let (name, index) = id.rsplit_once(':').unwrap_or((id, ""));
    let is_index = index.bytes().all(|byte| byte.is_ascii_digit());
    (after.trim().is_empty() && is_index && is_name(name)).then_some(Name { name, id })
}

/// `name`, `name[ARGS]` or `name[CALL_ID]id[ARGS]`
pub(super) fn mistral(text: &str) -> Option<Name<'_>> {
    let text = text.trim();
    let text = text.strip_suffix("[ARGS]").unwrap_or(text);
    let (before, id) = text.split_once("[CALL_ID]").unwrap_or((text, ""));
    Some(Name {
        id: id.trim(),
        ..name(before)?
    })
}

/// `name`, then `Action Input:` on the next line.
pub(super) fn react(text: &str) -> Option<Name<'_>> {
    let (first, rest) = text.split_once('\n')?;
    let rest = rest.trim();
    let Match::Full(len) = marker::begins(rest, "Action Input:") else {
        return None;
    };
    matches!(rest[len..].trim(), "" | "```" | "```json").then(|| name(first))?
}

/// `<|channel|>commentary to=functions.name <|constrain|>json<|message|>`
pub(super) fn harmony(text: &str) -> Option<Name<'_>> {
    let (header, after) = split(text, "<|message|>")?;
    let recipient = header.split_once("to=")?.1;
    let end = recipient.find(|char: char| char.is_whitespace() || char == '<');
    let recipient = &recipient[..end.unwrap_or(recipient.len())];
    let name = recipient.strip_prefix("functions.").unwrap_or(recipient);
    (after.trim().is_empty() && is_name(name)).then_some(Name { name, id: "" })
}

/// Splits at a marker.
fn split<'t>(text: &'t str, marker: &'static str) -> Option<(&'t str, &'t str)> {
    let found = marker::find(text, 0, true, &[marker]).ok()?;
    Some((&text[..found.at], &text[found.at + found.len..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_ids_are_found() {
        let name = |name: Option<Name<'static>>| name.map(|name| (name.name, name.id));
        assert_eq!(name(tag("<function=f>")), Some(("f", "")));
        assert_eq!(name(tag("<｜DSML｜invoke name=\"f\">\n")), Some(("f", "")));
        assert_eq!(name(tag("<function=f><function=g>")), None);
        assert_eq!(name(line("f\n ")), Some(("f", "")));
        assert_eq!(name(line("f ")), None);
        assert_eq!(name(fenced("f\n```json\n")), Some(("f", "")));
        assert_eq!(name(deepseek_v3_1("f<|tool_sep|>")), Some(("f", "")));
        assert_eq!(name(deepseek_v3_1("f<|tool_sep|>g\n")), None);
        assert_eq!(name(deepseek_v3_1("<|tool_sep|>")), None);
        let kimi = kimi_k2(" functions.f:0 <|tool_call_argument_begin|> ");
        assert_eq!(name(kimi), Some(("functions.f", "functions.f:0")));
        assert_eq!(name(mistral("f[CALL_ID]a1[ARGS]")), Some(("f", "a1")));
        assert_eq!(name(mistral(" f")), Some(("f", "")));
        assert_eq!(name(react(" f\nAction Input: ")), Some(("f", "")));
        let header = "<|start|>assistant to=functions.f<|channel|>commentary json<|message|>";
        assert_eq!(name(harmony(header)), Some(("f", "")));
        assert_eq!(name(harmony("<|channel|>final<|message|>")), None);
    }
}
