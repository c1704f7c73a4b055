//! All tools of a request.

use toolwright_core::tool::ToolDefinition;

use super::{Cost, Loss, Profile, Reason, Refusal, Rendered};

/// The tools of a request as a provider is sent them.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct RenderedSet {
    /// The tools, in order.
    pub tools: Vec<Rendered>,
    /// The tools that are sent in the fallback of the profile.
    pub fallbacks: Vec<Fallback>,
    /// The tools that [`Profile::render_accepted`] leaves out.
    pub left_out: Vec<Refusal>,
}

/// A tool that is sent in the fallback of the profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{refusal}; it is sent as {profile} instead")]
#[non_exhaustive]
pub struct Fallback {
    /// The reason.
    pub refusal: Refusal,
    /// The name of the profile in which it is sent.
    pub profile: std::borrow::Cow<'static, str>,
}

impl RenderedSet {
    /// The losses of all tools, in order.
    pub fn losses(&self) -> impl Iterator<Item = &Loss> {
        self.tools.iter().flat_map(|tool| &tool.losses)
    }
}

impl Profile {
    /// Writes the tools of a request in the form of this profile. A tool that the profile refuses,
    /// or that the request has no more room for, is sent in the profile's
    /// [`fallback`](Self::fallback) and listed. The other tools keep this profile.
    ///
    /// # Errors
    ///
    /// Returns an error if a refused tool has no fallback, or the fallback refuses it too: a provider
    /// answers one bad tool by refusing the whole request. To send the others, use
    /// [`render_accepted`](Self::render_accepted).
    pub fn render_all<'d>(
        &self,
        tools: impl IntoIterator<Item = &'d ToolDefinition>,
    ) -> Result<RenderedSet, Refusal> {
        let mut set = RenderedSet::default();
        let mut spent = Cost::default();
        for tool in tools {
            self.render_next(tool, &mut set, &mut spent)?;
        }
        Ok(set)
    }

    /// Writes the tools of a request as [`render_all`](Self::render_all) does, but for those that
    /// neither this profile nor its fallback takes: they are listed as
    /// [`left_out`](RenderedSet::left_out), and the others are sent without them.
    pub fn render_accepted<'d>(
        &self,
        tools: impl IntoIterator<Item = &'d ToolDefinition>,
    ) -> RenderedSet {
        let mut set = RenderedSet::default();
        let mut spent = Cost::default();
        for tool in tools {
            if let Err(refusal) = self.render_next(tool, &mut set, &mut spent) {
                set.left_out.push(refusal);
            }
        }
        set
    }

    fn render_next(
        &self,
        tool: &ToolDefinition,
        set: &mut RenderedSet,
        spent: &mut Cost,
    ) -> Result<(), Refusal> {
        let refusal = match self.render_within(tool, spent) {
            Ok(rendered) => {
                set.tools.push(rendered);
                return Ok(());
            }
            Err(refusal) => refusal,
        };
        let Some(fallback) = self.fallback.as_deref() else {
            return Err(refusal);
        };
        set.tools.push(fallback.render_within(tool, spent)?);
        set.fallbacks.push(Fallback {
            refusal,
            profile: fallback.name.clone(),
        });
        Ok(())
    }

    /// Writes a tool if the request has room for it beside what is in it already.
    pub(crate) fn render_within(
        &self,
        tool: &ToolDefinition,
        spent: &mut Cost,
    ) -> Result<Rendered, Refusal> {
        let rendered = self.render(tool)?;
        let mut cost = rendered.cost;
        if !self.strict {
            // What is not enforced is not compiled either, and only counted as a tool.
            cost = Cost {
                tools: 1,
                ..Cost::default()
            };
        }
        let all = spent.plus(cost);
        if let Some((what, limit)) = self.budget.passed_by(all) {
            return Err(Refusal {
                tool: tool.name.clone(),
                profile: self.name.clone(),
                path: "arguments".to_owned(),
                reason: Reason::Budget { what, limit },
            });
        }
        *spent = all;
        Ok(rendered)
    }
}
