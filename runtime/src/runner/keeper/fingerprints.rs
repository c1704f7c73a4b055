//! The fingerprints of the tools that a run is kept with.

use std::{collections::BTreeMap, sync::Arc};

use toolwright_core::{Fingerprint, Toolset};

/// The fingerprints of tools, by name. They are computed once for each set of tools.
pub(in crate::runner) fn fingerprints(tools: &Toolset) -> Arc<BTreeMap<String, Fingerprint>> {
    let definitions = tools.shared_definitions();
    definitions.prepared("fingerprints", |tools| {
        let tools = tools.iter();
        tools
            .map(|tool| (tool.name.to_string(), tool.fingerprint()))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolwright_core::{ToolCall, ToolError, dynamic::DynamicTool};

    #[test]
    fn fingerprints_are_computed_once() {
        let tool = DynamicTool::builder("look", "Looks at something.")
            .build(async |_: ToolCall, _| Ok::<_, ToolError>("seen"));
        let tools = Toolset::new().with(tool.unwrap()).unwrap();
        let first = fingerprints(&tools);
        assert_eq!(first["look"], tools.shared_definitions()[0].fingerprint());
        assert!(Arc::ptr_eq(&first, &fingerprints(&tools.clone())));
    }
}
