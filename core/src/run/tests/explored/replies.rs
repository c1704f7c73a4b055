//! The replies of the model of an explored run.

use super::*;

/// What the model may reply, after so many of its calls.
pub(in crate::run::tests) type Script = fn(u32) -> Vec<(ModelResponse, Vec<ToolPolicy>)>;

/// One that may be repeated, one that somebody has to approve and a barrier that is both; then an
/// answer.
pub(super) fn delayed(model_calls: u32) -> Vec<(ModelResponse, Vec<ToolPolicy>)> {
    let reads = ToolPolicy::default().with_effects(Effects::ReadOnly);
    let asks = ToolPolicy::default().with_approval();
    let both = reads.with_approval().with_sequential();
    match model_calls {
        0 => vec![
            (calls(&["x", "x", ""]), vec![reads, asks, both]),
            (calls(&["x", "x", ""]), vec![both, asks, reads]),
        ],
        _ => vec![(ModelResponse::from_text("done"), Vec::new())],
    }
}

/// Five calls with a barrier among them, then two; then every way in which a reply can end.
pub(super) fn scripted(model_calls: u32) -> Vec<(ModelResponse, Vec<ToolPolicy>)> {
    let (beside, barrier) = (
        ToolPolicy::default(),
        ToolPolicy::default().with_sequential(),
    );
    let mut refusal = ModelResponse::new(Vec::new());
    refusal.refusal = Some("no".into());
    let odd = [
        calls(&["late"]),
        refusal,
        ModelResponse::from_text(""),
        calls(&["cut"]).with_finish_reason(FinishReason::Length),
        ModelResponse::from_text("…").with_finish_reason(FinishReason::Paused),
        ModelResponse::from_text("").with_finish_reason(FinishReason::ContentFilter),
    ];
    let odd = odd.into_iter().map(|response| (response, Vec::new()));
    match model_calls {
        0 => vec![(
            calls(&["x", "x", "", "y", "z"]),
            vec![beside, beside, barrier, beside, beside],
        )],
        1 => std::iter::once((calls(&["x", "x"]), Vec::new()))
            .chain(odd)
            .collect(),
        2 | 3 => odd.collect(),
        _ => vec![(ModelResponse::from_text("done"), Vec::new())],
    }
}

/// A call that goes on where it was after its program went away, beside one that does not; then every way in which a reply
/// can end.
pub(super) fn resuming(replies: u32) -> Vec<(ModelResponse, Vec<ToolPolicy>)> {
    let agent = ToolPolicy {
        resumes: true,
        ..ToolPolicy::default()
    };
    match replies {
        0 => vec![(calls(&["x", "y"]), vec![agent, ToolPolicy::default()])],
        _ => scripted(replies + 1),
    }
}

/// A call of a sub-agent that somebody has to approve, one that runs alone, and a call that waits for somebody; then an
/// answer.
pub(super) fn approving(replies: u32) -> Vec<(ModelResponse, Vec<ToolPolicy>)> {
    let agent = ToolPolicy {
        resumes: true,
        ..ToolPolicy::default()
    };
    let policies = vec![
        agent.with_approval(),
        ToolPolicy::default().with_approval(),
        agent.with_sequential(),
    ];
    match replies {
        0 => vec![(calls(&["x", "x", "y"]), policies)],
        _ => vec![(ModelResponse::from_text("done"), Vec::new())],
    }
}

/// Two calls; then every way in which a reply can end.
pub(super) fn brief(replies: u32) -> Vec<(ModelResponse, Vec<ToolPolicy>)> {
    match replies {
        0 => vec![(calls(&["x", "x"]), Vec::new())],
        _ => scripted(replies + 1),
    }
}

/// Replies that no choice of tools is content with in all, thrice; then an answer.
pub(super) fn disobedient(replies: u32) -> Vec<(ModelResponse, Vec<ToolPolicy>)> {
    let mut both = calls(&["x"]).parts;
    both.push(Part::Call(ToolCall::new("x", "other", "{}")));
    let beside = vec![
        Part::Text("beside".into()),
        Part::Call(ToolCall::new("", "other", "{}")),
    ];
    let other = ModelResponse::from_calls([ToolCall::new("x", "other", "{}")]);
    let odd = [
        ModelResponse::from_text("text"),
        ModelResponse::new(vec![Part::Reasoning("hm".into()), Part::Text(" ".into())]),
        ModelResponse::new(Vec::new()).with_finish_reason(FinishReason::MalformedCall),
        calls(&["cut"]).with_finish_reason(FinishReason::MalformedCall),
        ModelResponse::from_text("…").with_finish_reason(FinishReason::Paused),
        calls(&["x"]),
        other,
        ModelResponse::new(both.into_vec()),
        ModelResponse::new(beside),
    ];
    match replies {
        0..=2 => odd
            .into_iter()
            .map(|response| (response, Vec::new()))
            .collect(),
        _ => vec![(ModelResponse::from_text("done"), Vec::new())],
    }
}

/// One that reads, one that writes, one that the application answers and one that needs an approval before; then an
/// answer, calls or an end.
pub(super) fn shared(model_calls: u32) -> Vec<(ModelResponse, Vec<ToolPolicy>)> {
    let reads = ToolPolicy::default().with_effects(Effects::ReadOnly);
    let writes = ToolPolicy::default();
    let external = writes.with_external();
    let ends = reads.with_ends_run();
    match model_calls {
        0 => vec![
            (
                calls(&["x", "x", ""]),
                vec![reads, writes, external.with_approval()],
            ),
            (calls(&["x", "y"]), vec![external, writes.with_sequential()]),
        ],
        1 => vec![
            (calls(&["x", "y"]), vec![ends, external]),
            (ModelResponse::from_text("done"), Vec::new()),
            (ModelResponse::from_text(""), Vec::new()),
        ],
        _ => vec![(ModelResponse::from_text("done"), Vec::new())],
    }
}

/// Hand-overs to one agent, to both, to none that there is, and beside other calls, thrice; then an answer.
pub(super) fn handing(replies: u32) -> Vec<(ModelResponse, Vec<ToolPolicy>)> {
    let to = |agent: &str| ToolCall::new("t", format!("transfer_to_{agent}"), "{}");
    let look = || ToolCall::new("a", "look", "{}");
    let reads = ToolPolicy::default().with_effects(Effects::ReadOnly);
    let asks = ToolPolicy::default().with_approval();
    let called = ModelResponse::from_calls;
    match replies {
        0 | 1 => vec![
            (called(vec![to("main")]), vec![reads]),
            (called(vec![to("other"), look()]), vec![reads, asks]),
            (called(vec![look(), to("other")]), vec![reads, asks]),
            (called(vec![to("main"), to("other")]), vec![reads, reads]),
            (called(vec![to("nobody"), to("other")]), vec![reads, reads]),
        ],
        _ => vec![(ModelResponse::from_text("done"), Vec::new())],
    }
}

/// Answers by text and by the tool `answer`, with another call beside them, thrice; then a text. Each has used tokens.
pub(super) fn answering(replies: u32) -> Vec<(ModelResponse, Vec<ToolPolicy>)> {
    let answer = || ToolCall::new("a", "answer", "{}");
    let look = || ToolCall::new("b", "look", "{}");
    let takes = ToolPolicy::default().with_effects(Effects::ReadOnly);
    let looks = ToolPolicy::default();
    let said = |text: &str| (ModelResponse::from_text(text), Vec::new());
    let called = ModelResponse::from_calls;
    let paused = ModelResponse::from_text("…").with_finish_reason(FinishReason::Paused);
    let replies = match replies {
        0..=2 => vec![
            said("text"),
            said(""),
            (paused, Vec::new()),
            (called(vec![answer()]), vec![takes]),
            (called(vec![look(), answer()]), vec![looks, takes]),
            (called(vec![look()]), vec![looks]),
        ],
        _ => vec![said("done")],
    };
    let replies = replies.into_iter();
    let costs = replies.map(|(mut response, policies)| {
        response.usage = Some(Usage::new(10, 10));
        (response, policies)
    });
    costs.collect()
}
