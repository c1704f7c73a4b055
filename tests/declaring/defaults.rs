//! The table of defaults in the guide against the code: each default that bounds something is in it, and nothing else.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

const GUIDE: &str = include_str!("../../src/guide/limits.md");

/// Where the defaults of settings are set: the name in the table, the file, the text before the literal, and the fields
/// without a bound that are `None` as well.
type Settings = (
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
);

const SETTINGS: &[Settings] = &[
    (
        "Limits",
        "core/src/run/limits.rs",
        "pub const fn agent() -> Self",
        &[],
    ),
    (
        "RunConfig",
        "core/src/run/config.rs",
        "impl Default for RunConfig",
        &[
            "system",
            "instructions",
            "tools",
            "answer",
            "agent",
            "given",
        ],
    ),
    (
        "ContextWindow",
        "core/src/run/context/window.rs",
        "pub const fn new",
        &["overhead"],
    ),
    (
        "ToolPolicy",
        "core/src/tool/policy.rs",
        "pub const fn of",
        &[],
    ),
    (
        "CallOptions",
        "runtime/src/dispatch/call_options.rs",
        "impl Default for CallOptions",
        &["granted", "approver", "rate_limiter"],
    ),
    (
        "RunnerBuilder",
        "runtime/src/runner/keeper/settings.rs",
        "impl Default for Keeping",
        &["restore"],
    ),
    (
        "Fallback",
        "runtime/src/fallback.rs",
        "pub fn new<M: ChatModel>",
        &[],
    ),
    (
        "Guarded",
        "runtime/src/guardrail.rs",
        "pub fn new(model: M)",
        &[],
    ),
    ("Retry", "runtime/src/retry.rs", "pub fn new(model: M)", &[]),
    (
        "Emulated",
        "emulation/src/emulated.rs",
        "pub fn new(model: M",
        &[],
    ),
    (
        "HttpOptions",
        "providers/src/transport.rs",
        "pub(crate) fn new()",
        &[],
    ),
    (
        "ServerLimits",
        "integrations/server/src/limits.rs",
        "impl Default for ServerLimits",
        &[],
    ),
    (
        "HttpService",
        "integrations/mcp/src/service/http/bounded.rs",
        "impl Default for MaxSessions",
        &[],
    ),
    (
        "SqliteOptions",
        "integrations/sqlite/src/options.rs",
        "impl Default for SqliteOptions",
        &["clock"],
    ),
    (
        "PostgresOptions",
        "integrations/postgres/src/options.rs",
        "impl Default for PostgresOptions",
        &[],
    ),
    (
        "AnswerForm",
        "core/src/run/answer.rs",
        "pub fn new(schema",
        &[],
    ),
    (
        "RunFilter",
        "runtime/src/store/listing.rs",
        "impl Default for RunFilter",
        &["runner", "after"],
    ),
    (
        "ChatRequestLimits",
        "streams/src/ui_message/request.rs",
        "impl Default for ChatRequestLimits",
        &[],
    ),
];

/// Bounds that cannot be set and that users meet, with their name in the table.
const FIXED: &[(&str, &str, &str)] = &[
    (
        "depth of sub-agents",
        "runtime/src/runner/run_node.rs",
        "MAX_DEPTH",
    ),
    (
        "resumes without progress",
        "runtime/src/runner/resume/by_id.rs",
        "RESUMES",
    ),
    (
        "`CallOptions::max_output`",
        "runtime/src/dispatch/output.rs",
        "MAX_OUTPUT",
    ),
    (
        "pauses of a response",
        "core/src/run/verdict.rs",
        "MAX_PAUSES",
    ),
    (
        "parts of a response",
        "core/src/model/assembler.rs",
        "BYTES",
    ),
    (
        "nesting of arguments",
        "core/src/arguments.rs",
        "MAX_NESTING",
    ),
    (
        "error text for the model",
        "core/src/arguments/explain/message.rs",
        "MAX_CHARS",
    ),
    (
        "answer of a store to a run that stops",
        "runtime/src/runner/keeper/answer.rs",
        "PATIENCE",
    ),
    ("text with calls", "emulation/src/tool_text.rs", "MAX_BYTES"),
    (
        "text that may hold a call",
        "emulation/src/emulated/held.rs",
        "HELD_BYTES",
    ),
    (
        "output tokens of Anthropic",
        "providers/src/provider/anthropic.rs",
        "DEFAULT_MAX_TOKENS",
    ),
    (
        "body of an error of a provider",
        "providers/src/transport/reply.rs",
        "ERROR_BODY_BYTES",
    ),
    (
        "events that wait for a reader",
        "runtime/src/runner/live.rs",
        "MOST_UNREAD",
    ),
    (
        "conversations that a runner remembers",
        "runtime/src/runner/keeper/known.rs",
        "MOST",
    ),
    (
        "bytes of these conversations",
        "runtime/src/runner/keeper/known.rs",
        "MOST_BYTES",
    ),
    (
        "tools that a search finds",
        "runtime/src/runner/on_demand/search_tools.rs",
        "MOST",
    ),
    (
        "tools of a server of the Model Context Protocol",
        "integrations/mcp/src/client/connection.rs",
        "MAX_TOOLS",
    ),
    (
        "list of these tools",
        "integrations/mcp/src/client/connection.rs",
        "MAX_LIST",
    ),
    (
        "body of a request to a service",
        "integrations/mcp/src/service/http.rs",
        "MAX_BODY",
    ),
    (
        "silence of a session of a service",
        "integrations/mcp/src/service/http.rs",
        "SESSION",
    ),
    (
        "requests of a client that are open",
        "integrations/mcp/src/service/bounded.rs",
        "MAX_OPEN",
    ),
    (
        "question of a server",
        "integrations/mcp/src/client/asking.rs",
        "LONGEST",
    ),
    (
        "`Client::timeout`",
        "integrations/mcp/src/client.rs",
        "TIMEOUT",
    ),
    (
        "`Client::task_timeout`",
        "integrations/mcp/src/client.rs",
        "TASK_TIMEOUT",
    ),
    (
        "questions of a call or its task",
        "integrations/mcp/src/client/asking.rs",
        "MAX_QUESTIONS",
    ),
    (
        "answers to a form of `Elicit` that do not fit its type",
        "integrations/mcp/src/service/elicit.rs",
        "ANSWERS",
    ),
    (
        "refused answers to a question of a task",
        "integrations/mcp/src/client/task/question.rs",
        "MAX_REFUSED",
    ),
    (
        "id of a chat",
        "integrations/server/src/runs_of_chat.rs",
        "ID_BYTES",
    ),
    (
        "silence of the store of a stream",
        "integrations/server/src/follow.rs",
        "PATIENCE",
    ),
    ("`Service::page`", "integrations/mcp/src/service.rs", "PAGE"),
    (
        "`MessageList::max_bytes`",
        "providers/src/provider/message_list.rs",
        "MAX_BYTES",
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// A constant of the code.
struct Constant {
    /// The type that it belongs to; empty in a module.
    of: String,
    name: String,
    value: String,
    /// True if it is public, and of a type that bounds have.
    is_bound: bool,
}

/// The constants of a file. Tests come last in it.
fn constants(code: &str) -> Vec<Constant> {
    let (mut of, mut found) = (String::new(), Vec::new());
    let code = code
        .split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or(code);
    for (at, line) in code.lines().scan(0, |at, line| {
        let here = *at;
        *at += line.len() + 1;
        Some((here, line))
    }) {
        if line.starts_with('}') {
            of.clear();
        }
        if let Some(head) = line.strip_prefix("impl") {
            let head = head.split(" for ").last().unwrap_or(head);
            let head = match head.trim_start().strip_prefix('<') {
                Some(rest) => rest.split_once("> ").map_or("", |(_, name)| name),
                None => head.trim_start(),
            };
            let name = head.chars().take_while(|c| c.is_alphanumeric());
            of = name.collect();
        }
        let text = line.trim_start();
        let (is_public, text) = match text.strip_prefix("pub ") {
            Some(text) => (true, text),
            None => (
                false,
                text.trim_start_matches("pub(crate) ")
                    .trim_start_matches("pub(super) "),
            ),
        };
        let Some((name, rest)) = text
            .strip_prefix("const ")
            .and_then(|text| text.split_once(": "))
        else {
            continue;
        };
        let Some((kind, _)) = rest.split_once(" =") else {
            continue;
        };
        let after = code[at..].split_once(" =").map_or("", |(_, after)| after);
        let kinds = ["Duration", "usize", "u32", "u64", "NonZeroUsize"];
        found.push(Constant {
            of: of.clone(),
            name: name.to_owned(),
            value: after
                .split(';')
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned(),
            is_bound: is_public && kinds.contains(&kind) && name != "VERSION",
        });
    }
    found
}

/// The fields of the literal after a text.
fn fields(code: &str, before: &str) -> Vec<(String, String)> {
    let (_, code) = code
        .split_once(before)
        .unwrap_or_else(|| panic!("`{before}` is gone"));
    let (_, code) = code
        .split_once("Self {\n")
        .filter(|(_, code)| !code.is_empty())
        .expect("a literal");
    let code = match code.split_once("Self {\n") {
        // The body of a method named `Self`.
        Some((head, rest)) if !head.contains('}') => rest,
        _ => code,
    };
    let first = code.lines().next().expect("a field");
    let indent = first.len() - first.trim_start().len();
    let mut fields = Vec::<(String, String)>::new();
    for line in code.lines() {
        if !line.trim().is_empty() && line.len() - line.trim_start().len() < indent {
            break;
        }
        let is_field = line.len() - line.trim_start().len() == indent;
        match line.trim().split_once(": ") {
            Some((name, value)) if is_field && !line.trim_start().starts_with("//") => {
                fields.push((name.to_owned(), value.to_owned()));
            }
            _ if !is_field => {
                if let Some((_, value)) = fields.last_mut() {
                    value.push_str(line.trim());
                }
            }
            _ => {}
        }
    }
    for (_, value) in &mut fields {
        *value = value.trim_end_matches(',').to_owned();
    }
    fields
}

/// The constants of the whole code.
struct Code(Vec<(String, Vec<Constant>)>);

impl Code {
    fn of_libraries() -> Self {
        let mut files = Vec::new();
        let mut folders: Vec<_> = [
            "core",
            "runtime",
            "providers",
            "emulation",
            "streams",
            "json",
        ]
        .iter()
        .map(|package| root().join(package).join("src"))
        .collect();
        for entry in fs::read_dir(root().join("integrations"))
            .expect("is there")
            .flatten()
        {
            folders.push(entry.path().join("src"));
        }
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                let shown = path.display().to_string();
                if path.is_dir() && !shown.contains("/tests") && !shown.ends_with("const_check") {
                    folders.push(path);
                } else if path.extension().is_some_and(|it| it == "rs")
                    && !path.ends_with("tests.rs")
                {
                    files.push((shown, constants(&fs::read_to_string(path).expect("reads"))));
                }
            }
        }
        Self(files)
    }

    /// The value of a bound: a number, bytes or milliseconds; nothing of `None`. It is no bound otherwise.
    #[expect(
        clippy::option_option,
        reason = "a bound that is off by default is a bound"
    )]
    fn value(&self, file: &str, text: &str, depth: usize) -> Option<Option<u128>> {
        let text = text.trim();
        if text == "None" {
            return Some(None);
        }
        for (open, factor) in [
            ("Duration::from_secs(", 1_000),
            ("Duration::from_millis(", 1),
            ("Some(", 1),
        ] {
            if let Some(inner) = text
                .strip_prefix(open)
                .and_then(|text| text.strip_suffix(')'))
            {
                let value = self.value(file, inner, depth)??;
                return Some(Some(value * factor));
            }
        }
        if let Some(inner) = text.strip_prefix("NonZeroUsize::new(") {
            return self.value(file, inner.split(')').next()?, depth);
        }
        if let Some((left, right)) = text.split_once(" * ") {
            let (left, right) = (
                self.value(file, left, depth)??,
                self.value(file, right, depth)??,
            );
            return Some(Some(left * right));
        }
        if let Some((left, right)) = text.split_once(" << ") {
            let (left, right) = (
                self.value(file, left, depth)??,
                self.value(file, right, depth)??,
            );
            return Some(Some(left << right));
        }
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return text.replace('_', "").parse().ok().map(Some);
        }
        let name = text.rsplit("::").next()?;
        if depth > 5 || name.is_empty() || !name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
        {
            return None;
        }
        let of = text
            .rsplit("::")
            .nth(1)
            .filter(|of| *of != "Self")
            .unwrap_or_default();
        let mut nearest: Vec<_> = self.0.iter().collect();
        nearest.sort_by_key(|(path, _)| !path.ends_with(file));
        let all = nearest
            .into_iter()
            .flat_map(|(path, constants)| constants.iter().map(move |it| (path, it)));
        let mut found = all.filter(|(path, constant)| {
            let is_near = path.ends_with(file)
                || of == constant.of
                || of.is_empty() && constant.of.is_empty();
            constant.name == name && constant.value.rsplit("::").next() != Some(name) && is_near
        });
        let (path, constant) = found.next()?;
        self.value(path, &constant.value, depth + 1)
    }
}

/// What the code says, by the names of the table.
fn defaults() -> BTreeMap<String, Option<u128>> {
    let code = Code::of_libraries();
    let (mut all, mut used) = (BTreeMap::new(), Vec::new());
    for (of, file, before, no_bounds) in SETTINGS {
        for (field, value) in fields(&read(file), before) {
            let is_bound = !no_bounds.contains(&field.as_str());
            if let Some(value_of) = code.value(file, &value, 0).filter(|_| is_bound) {
                all.insert(format!("`{of}::{field}`"), value_of);
                used.push(value);
            }
        }
    }
    for (path, constants) in &code.0 {
        for constant in constants.iter().filter(|constant| constant.is_bound) {
            let name = match constant.of.as_str() {
                "" => format!("`{}`", constant.name),
                of => format!("`{of}::{}`", constant.name),
            };
            // The default of a field that has a row, under its own name.
            let own = format!("Self::{}", constant.name);
            let another = format!("{}::{}", constant.of, constant.name);
            if used.iter().any(|value| {
                value.contains(&another) || value.trim_end_matches(')').ends_with(&own)
            }) {
                continue;
            }
            let value = code.value(path, &constant.value, 0);
            all.insert(
                name.clone(),
                value.unwrap_or_else(|| panic!("{name}: {}", constant.value)),
            );
        }
    }
    for (name, file, constant) in FIXED {
        let value = code.value(file, &format!("Self::{constant}"), 0);
        all.insert(
            (*name).to_owned(),
            value.unwrap_or_else(|| panic!("{constant} is gone")),
        );
    }
    all
}

/// What the guide says: the value in numbers, bytes or milliseconds, and the reason.
fn rows() -> BTreeMap<String, (Option<u128>, String)> {
    let (_, table) = GUIDE
        .split_once("| Default of |")
        .expect("there is a table");
    let rows = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [name, value, unit, reason] = cells[..] else {
            panic!("{row}")
        };
        let factor = match unit {
            "s" => 1_000,
            "min" => 60_000,
            "h" => 3_600_000,
            "days" => 86_400_000,
            "KiB" => 1 << 10,
            "MiB" => 1 << 20,
            _ => 1,
        };
        let number = (value != "none").then(|| {
            let number: u128 = value
                .replace(',', "")
                .parse()
                .unwrap_or_else(|_| panic!("{row}"));
            number * factor
        });
        (name.to_owned(), (number, reason.to_owned()))
    })
    .collect()
}

/// The types whose `Default` has a number as a bound.
fn bounded_by_default() -> Vec<String> {
    let code = Code::of_libraries();
    let mut found = Vec::new();
    for (path, _) in &code.0 {
        let text = fs::read_to_string(path).expect("reads");
        for (_, rest) in text.match_indices("\nimpl Default for ").map(|(at, head)| {
            let rest = &text[at + head.len()..];
            (at, rest.split("\n}").next().unwrap_or_default())
        }) {
            let (name, body) = rest.split_once(' ').expect("a body");
            let has_bound = body.contains("Self {\n")
                && (fields(body, "fn default()").iter())
                    .any(|(_, value)| matches!(code.value(path, value, 0), Some(Some(_))));
            if has_bound {
                found.push(name.to_owned());
            }
        }
    }
    found
}

#[test]
fn each_default_with_a_bound_is_looked_at() {
    let found = bounded_by_default();
    let named = |name: &String| {
        let is_named = |settings: &Settings| settings.0 == name || settings.2.ends_with(name);
        SETTINGS.iter().any(is_named)
    };
    assert!(found.iter().any(|name| name == "ServerLimits"), "{found:?}");
    // These have numbers that bound nothing.
    let no_bounds = ["Owners", "ModelResponse"];
    let is_missing = |name: &&String| !named(name) && !no_bounds.contains(&name.as_str());
    let missing: Vec<_> = found.iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_table_of_the_guide_has_each_default_that_bounds_something() {
    let (code, guide) = (defaults(), rows());
    let mut wrong = Vec::new();
    for (name, value) in &code {
        match guide.get(name) {
            None => wrong.push(format!("{name} = {value:?} is not in the table")),
            Some((said, _)) if said != value => {
                wrong.push(format!("{name} is {value:?}, and the table says {said:?}"));
            }
            Some((_, reason)) if reason.len() < 10 => wrong.push(format!("{name} has no reason")),
            Some(_) => {}
        }
    }
    let others = guide.keys().filter(|name| !code.contains_key(*name));
    wrong.extend(others.map(|name| format!("{name} is in the table only")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
