//! The rules for how the calls of a tool are guarded, bounded and run.

use crate::{
    errors::Errors,
    model::{Callable, Derived, Given, Hint, Hints, Policy, Tool},
};

/// Only what changes nothing the second time is run again.
pub(super) fn repeatable(tool: &Tool, errors: &mut Errors) {
    if let Some(Given { key, value: 1.. }) = &tool.policy.retries
        && writes(&tool.hints)
        && tool.policy.external.is_none()
    {
        let message = "a tool that writes is never run twice: write `read_only` or `idempotent` if \
                       it is, or remove `retries`";
        errors.at(key, message);
    }
}

fn writes(hints: &Hints) -> bool {
    let says = |hint: &Option<Hint>| hint.as_ref().is_some_and(|hint| hint.value);
    !says(&hints.read_only) && !says(&hints.idempotent)
}

/// Reports a policy that does not fit the kind of the function.
pub(super) fn placed(callable: &Callable, errors: &mut Errors) {
    let policy = &callable.tool.policy;
    if callable.signature.asyncness.is_some() {
        if let Some(inline) = &policy.inline {
            let message = "an `async` function is polled in place anyway: remove `inline`";
            errors.at(inline, message);
        }
        return;
    }
    match (&policy.inline, &policy.spawn) {
        (Some(_), Some(spawn)) => {
            let message = "`inline` runs the function in place, `spawn` in a task of its own: \
                           remove one of them";
            errors.at(spawn, message);
        }
        (None, Some(spawn)) => {
            let message = "a function that is not `async` runs on a thread for blocking work \
                           anyway: remove `spawn`";
            errors.at(spawn, message);
        }
        (_, None) => {}
    }
    if let (Some(_), Some(Given { key, .. })) = (&policy.inline, &policy.timeout) {
        let message = "nothing stops a function that runs in place: remove `timeout`, or `inline` \
                       so that it gets a thread";
        errors.at(key, message);
    }
}

/// A struct is executed by an async function, or by the application.
pub(super) fn executed(derived: &Derived, errors: &mut Errors) {
    if derived.tool.policy.external.is_some() {
        nothing_for_an_attempt(&derived.tool.policy, errors);
    } else if let Some(inline) = &derived.tool.policy.inline {
        let message =
            "`execute` is an `async` function, which is polled in place anyway: remove `inline`";
        errors.at(inline, message);
    }
}

/// The calls of an external tool have no attempts, so that nothing is said of attempts.
fn nothing_for_an_attempt(policy: &Policy, errors: &mut Errors) {
    let keys = [
        (
            policy.timeout.as_ref().map(|given| &given.key),
            "`RunnerBuilder::pending_time` limits how long a run waits",
        ),
        (
            policy.retries.as_ref().map(|given| &given.key),
            "try again where the application answers",
        ),
        (
            policy.rate_limit.as_ref().map(|given| &given.key),
            "limit the rate where the application answers",
        ),
        (policy.spawn.as_ref(), "nothing runs here"),
        (policy.inline.as_ref(), "nothing runs here"),
    ];
    for (key, instead) in keys {
        if let Some(key) = key {
            let message = format!(
                "the application answers the calls of an `external` tool, where `{key}` has no \
                 effect: remove `{key}`; {instead}"
            );
            errors.at(key, message);
        }
    }
}
