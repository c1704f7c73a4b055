//! The public methods of every codec's dialect.

/// Gives a dialect its methods, which are the same in every codec.
///
/// The type has the field `profile`, and one of its quirks if that is named here. It stands in the module of a
/// codec, `$protocol`, beside the
/// functions that the methods are documented by.
macro_rules! dialect {
    (@new $profile:ident) => {
        Self { profile: $profile }
    };
    (@new $profile:ident $quirks:ident) => {
        Self {
            profile: $profile,
            ..Self::default()
        }
    };
    (@quirks $dialect:ident) => {
        &$crate::codec::quirks::Quirks::NONE
    };
    (@quirks $dialect:ident $quirks:ident) => {
        &$dialect.$quirks
    };
    ($dialect:ident, $protocol:ty $(, $quirks:ident)?) => {
        impl $dialect {
            /// Creates a dialect for a server that accepts the schemas of a profile.
            pub fn new(profile: $crate::profile::Profile) -> Self {
                let profile = Some(std::sync::Arc::new(profile));
                $crate::provider::dialect::dialect!(@new profile $($quirks)?)
            }

            /// Returns the `tools` of a request, as [`tools`](super::tools) does.
            pub fn tools(&self, tools: &::toolwright_runtime::Toolset) -> ::toolwright_runtime::JsonText {
                self.sent(tools.shared_definitions()).json.clone()
            }

            /// Returns the calls of a whole reply to a request with these tools, in order, with arguments in
            /// the form of the tools.
            ///
            /// # Errors
            ///
            /// The errors of [`calls`](super::calls).
            pub fn calls(
                &self,
                tools: &::toolwright_runtime::Toolset,
                reply: &serde_json::Value,
            ) -> Result<Vec<::toolwright_runtime::tool::ToolCall>, ::toolwright_runtime::model::ModelError> {
                let body = reply.to_string();
                let reply = self.decode(tools.shared_definitions(), body.as_bytes())?;
                $crate::codec::response_reader::runnable_calls(reply)
            }

            /// Writes the body of a request for a whole reply, as [`encode`](super::encode) does.
            pub fn encode(&self, model: &str, request: &::toolwright_runtime::model::ModelRequest) -> Vec<u8> {
                self.body(model, request, false)
            }

            /// Writes the body of a request for a streamed reply, as [`encode_stream`](super::encode_stream)
            /// does.
            pub fn encode_stream(
                &self,
                model: &str,
                request: &::toolwright_runtime::model::ModelRequest,
            ) -> Vec<u8> {
                self.body(model, request, true)
            }

            /// Decodes the body of a whole reply to a request with these tools.
            ///
            /// # Errors
            ///
            /// The errors of [`decode`](super::decode).
            pub fn decode(
                &self,
                tools: &::toolwright_runtime::tool::ToolDefinitions,
                body: &[u8],
            ) -> Result<::toolwright_runtime::model::ModelResponse, ::toolwright_runtime::model::ModelError> {
                type Reply = <$protocol as $crate::codec::protocol::Protocol>::Reply;
                $crate::codec::response_reader::whole_reply::<Reply>(self.sent(tools), body)
            }

            /// Creates a decoder of a streamed reply to a request with these tools.
            pub fn stream_decoder(
                &self,
                tools: &::toolwright_runtime::tool::ToolDefinitions,
            ) -> super::StreamDecoder {
                super::StreamDecoder::for_tools(self.sent(tools))
            }

            fn body(
                &self,
                model: &str,
                request: &::toolwright_runtime::model::ModelRequest,
                streamed: bool,
            ) -> Vec<u8> {
                use $crate::codec::protocol::{BodyInput, Protocol};
                <$protocol>::encode(BodyInput {
                    model,
                    request,
                    tools: &self.sent(&request.tools),
                    provider: <$protocol>::PROVIDER,
                    quirks: $crate::provider::dialect::dialect!(@quirks self $($quirks)?),
                    streamed,
                })
            }

            fn sent(
                &self,
                tools: &::toolwright_runtime::tool::ToolDefinitions,
            ) -> std::sync::Arc<$crate::codec::tool_list::ToolList> {
                type Form = <$protocol as $crate::codec::protocol::Protocol>::Form;
                $crate::codec::tool_list::ToolList::of::<Form>(tools, self.profile.as_deref())
            }
        }
    };
}

pub(in crate::provider) use dialect;
