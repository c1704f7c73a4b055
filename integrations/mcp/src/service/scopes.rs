//! Scopes of tokens as capabilities.

use serde::Deserialize;
use toolwright_core::tool::Capabilities;
use toolwright_http_access::Refusal;

use super::{Served, caller::Caller};

/// The scopes that grant capabilities.
#[derive(Debug, Clone, Default)]
pub(super) struct Scopes(Vec<(String, Capabilities)>);

/// What of a request decides.
#[derive(Deserialize)]
struct Sent {
    method: String,
    #[serde(default)]
    params: Option<Params>,
}

#[derive(Deserialize)]
struct Params {
    name: Option<String>,
}

impl Scopes {
    pub(super) fn push(&mut self, scope: String, grants: Capabilities) {
        self.0.push((scope, grants));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(scope, _)| &**scope)
    }

    /// What a caller is granted: of `own`, what no scope grants, and what its scopes do.
    pub(super) fn granted(&self, own: Capabilities, caller: &Caller) -> Capabilities {
        let all = self.0.iter();
        let by_scopes = all.fold(Capabilities::NONE, |all, (_, grants)| all | *grants);
        let held = self.0.iter().filter(|(scope, _)| caller.has_scope(scope));
        let held = held.fold(Capabilities::NONE, |all, (_, grants)| all | *grants);
        own.without(by_scopes) | held
    }

    /// Checks that the call of a tool does not lack a scope. All else is answered by the service.
    pub(super) fn check(
        &self,
        served: &Served,
        granted: Capabilities,
        body: &[u8],
    ) -> Result<(), Refusal> {
        let Ok(sent) = serde_json::from_slice::<Sent>(body) else {
            return Ok(());
        };
        let name = sent.params.and_then(|params| params.name);
        let (Some(name), "tools/call") = (name, &*sent.method) else {
            return Ok(());
        };
        let tools = served.tools.snapshot();
        let Some(tool) = tools.find(&name) else {
            return Ok(());
        };
        let missing = tool.policy().requires.without(granted);
        let scopes = self.0.iter();
        let scopes = scopes.filter(|(_, grants)| !(*grants & missing).is_empty());
        let scopes: Vec<_> = scopes.map(|(scope, _)| scope.clone()).collect();
        if scopes.is_empty() {
            Ok(())
        } else {
            Err(Refusal::insufficient_scope(scopes))
        }
    }
}
