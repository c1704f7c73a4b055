//! Checks of the tools of a runner against its settings.

use super::BuildError;
use crate::{CallOptions, runner::on_demand::SEARCH_TOOLS};
use toolwright_core::{
    Toolset, ToolsetError,
    driver::is_name,
    model::ToolChoice,
    run::ToolChoiceSchedule,
    tool::{Capabilities, ExtensionType},
};

/// A tool that requires a capability, where no grant was set, was probably meant to be on offer.
pub(super) fn check_granted(
    granted: Option<Capabilities>,
    tools: &Toolset,
) -> Result<(), BuildError> {
    let requires = |name: &str| tools.policy(name).requires;
    let first = tools.names().find(|name| !requires(name).is_empty());
    match first {
        Some(name) if granted.is_none() => Err(BuildError::NotGranted {
            name: name.to_owned(),
            requires: requires(name),
        }),
        _ => Ok(()),
    }
}

/// A tool whose extension is never set would fail in every call.
pub(super) fn check_extensions(
    calls: &CallOptions,
    later: &[ExtensionType],
    tools: &Toolset,
) -> Result<(), BuildError> {
    let comes = |of: &ExtensionType| calls.extensions.has(*of) || later.contains(of);
    for tool in tools.iter() {
        if let Some(missing) = tool.extensions().into_iter().find(|of| !comes(of)) {
            return Err(BuildError::NoExtension {
                name: tool.definition().name.as_ref().to_owned(),
                extension: missing.name(),
            });
        }
    }
    Ok(())
}

/// A choice that the tools cannot meet is a mistake.
pub(in crate::runner) fn check_choice(
    choice: &ToolChoiceSchedule,
    tools: &Toolset,
) -> Result<(), BuildError> {
    let cannot = |choice: &ToolChoice| match choice {
        ToolChoice::Tool(name) if name == SEARCH_TOOLS && tools.has_deferred() => None,
        ToolChoice::Tool(name) if tools.find(name).is_none() => {
            Some(BuildError::UnknownTool { name: name.clone() })
        }
        ToolChoice::Required if tools.is_empty() => Some(BuildError::NoTools),
        _ => None,
    };
    choice.choices().iter().find_map(cannot).map_or(Ok(()), Err)
}

/// The name of the tool that takes the answer is one, and that of no other tool.
pub(super) fn check_final_tool(name: &str, tools: &Toolset) -> Result<(), ToolsetError> {
    match tools.find(name) {
        _ if name == SEARCH_TOOLS && tools.has_deferred() => {
            Err(ToolsetError::Duplicate { name: name.into() })
        }
        _ if !is_name(name) => Err(ToolsetError::Name { name: name.into() }),
        Some(_) => Err(ToolsetError::Duplicate { name: name.into() }),
        None => Ok(()),
    }
}

/// A tool whose calls need an approval, without an approver, would never run.
pub(super) fn check_approver(calls: &CallOptions, tools: &Toolset) -> Result<(), BuildError> {
    if calls.approver.is_some() {
        return Ok(());
    }
    let asks = |name: &&str| calls.approvals.asks(&tools.policy(name));
    match tools.names().find(asks) {
        Some(name) => Err(BuildError::NoApprover {
            name: name.to_owned(),
        }),
        None => Ok(()),
    }
}
