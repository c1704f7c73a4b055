//! The public functions of every codec's module.

/// Gives the module of a codec its functions, which are those of its default dialect, each with the
/// documentation that belongs to the codec.
macro_rules! functions {
    (
        $(#[$encode:meta])* encode;
        $(#[$encode_stream:meta])* encode_stream;
        $(#[$decode:meta])* decode;
        $(#[$tools:meta])* tools;
        $(#[$calls:meta])* calls;
    ) => {
        $(#[$encode])*
        pub fn encode(model: &str, request: &::toolwright_runtime::model::ModelRequest) -> Vec<u8> {
            Dialect::default().encode(model, request)
        }

        $(#[$encode_stream])*
        pub fn encode_stream(model: &str, request: &::toolwright_runtime::model::ModelRequest) -> Vec<u8> {
            Dialect::default().encode_stream(model, request)
        }

        $(#[$decode])*
        pub fn decode(
            body: &[u8],
        ) -> Result<::toolwright_runtime::model::ModelResponse, ::toolwright_runtime::model::ModelError> {
            decode_for(&::toolwright_runtime::tool::ToolDefinitions::default(), body)
        }

        /// Decodes the body of a whole reply to a request with these tools. Arguments in the form of the
        /// provider are turned back into those of the tools.
        ///
        /// # Errors
        ///
        /// The errors of [`decode`].
        pub fn decode_for(
            tools: &::toolwright_runtime::tool::ToolDefinitions,
            body: &[u8],
        ) -> Result<::toolwright_runtime::model::ModelResponse, ::toolwright_runtime::model::ModelError> {
            Dialect::default().decode(tools, body)
        }

        $(#[$tools])*
        ///
        /// In a `serde_json::Value`, as `json!` makes it, the properties of the schemas are sorted by
        /// name. In a struct that is serialised, and in [`encode`], they keep their order, which is part
        /// of what a model reads.
        pub fn tools(tools: &::toolwright_runtime::Toolset) -> ::toolwright_runtime::JsonText {
            Dialect::default().tools(tools)
        }

        $(#[$calls])*
        pub fn calls(
            reply: &serde_json::Value,
        ) -> Result<Vec<::toolwright_runtime::tool::ToolCall>, ::toolwright_runtime::model::ModelError> {
            let reply = decode(reply.to_string().as_bytes())?;
            $crate::codec::response_reader::runnable_calls(reply)
        }

        /// Returns the calls of a whole reply to a request with these tools, in order. Arguments in the form
        /// of the provider are turned back into those of the tools.
        ///
        /// # Errors
        ///
        /// The errors of [`calls`].
        pub fn calls_for(
            tools: &::toolwright_runtime::Toolset,
            reply: &serde_json::Value,
        ) -> Result<Vec<::toolwright_runtime::tool::ToolCall>, ::toolwright_runtime::model::ModelError> {
            Dialect::default().calls(tools, reply)
        }
    };
}

pub(in crate::provider) use functions;
