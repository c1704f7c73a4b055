//! Middleware around the tools of a set.

use std::sync::Arc;

use super::{Toolset, ToolsetError};
use crate::{
    Middleware,
    tool::{Layered, SharedLayer, Tool},
};

impl Toolset {
    /// Puts a middleware around every tool that is in the set now: inside of what is around it
    /// already. A tool that is added later is as it comes, so that this stands after the tools. See
    /// [`middleware`](crate::middleware).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{
    ///     ToolCall, ToolError, Toolset, dynamic::DynamicTool, middleware::{self, Next}, testing,
    /// };
    ///
    /// let ping = DynamicTool::builder("ping", "Answers with pong.")
    ///     .build(async |_: ToolCall, _cx| Ok::<_, ToolError>("pong"))?;
    /// let tools = Toolset::new().with(ping)?.layer(middleware::around(
    ///     async |call: ToolCall, cx, next: Next| {
    ///         let output = next.run(call, cx).await?;
    ///         Ok(output.with_text("and no more"))
    ///     },
    /// ));
    /// let output = testing::call(&tools, "ping", serde_json::json!({})).await?;
    /// assert_eq!(output.to_text(), "pong\nand no more");
    /// # Ok(()) }
    /// ```
    pub fn layer(mut self, middleware: impl Middleware) -> Self {
        let middleware = SharedLayer::new(middleware);
        for tool in &mut Arc::make_mut(&mut self.inner).tools {
            put_around(tool, &middleware);
        }
        self
    }

    /// Puts a middleware around the tool of a name, inside of what is around it already. See
    /// [`middleware`](crate::middleware).
    ///
    /// # Errors
    ///
    /// When no tool has the name.
    pub fn layer_for(
        mut self,
        name: &str,
        middleware: impl Middleware,
    ) -> Result<Self, ToolsetError> {
        let Some(&place) = self.inner.by_name.get(name) else {
            return Err(self.no_such_tool(name));
        };
        let tool = &mut Arc::make_mut(&mut self.inner).tools[place];
        put_around(tool, &SharedLayer::new(middleware));
        Ok(self)
    }
}

fn put_around(tool: &mut Arc<dyn Tool>, middleware: &SharedLayer) {
    *tool = Arc::new(Layered::new(tool, middleware));
}
