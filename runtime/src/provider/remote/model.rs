//! The public methods of every provider's model.

/// Gives the model of a provider its settings of the connection, and makes it a model. The type has
/// the one field `remote`; `$path` is what follows its base URL.
macro_rules! remote_model {
    ($model:ident, $path:literal) => {
        impl $model {
            #[doc = concat!("Sets where the API is, up to and without `", $path, "`. A query is kept.")]
            pub fn with_base_url(mut self, url: impl Into<String>) -> Self {
                self.remote = self.remote.with_base_url(url.into());
                self
            }

            /// Adds a header to every request, or replaces one that is sent anyway. Values are treated
            /// like the key: they are not shown.
            pub fn with_header(
                mut self,
                name: impl Into<String>,
                value: impl Into<String>,
            ) -> Self {
                self.remote = self.remote.with_header(name.into(), value.into());
                self
            }

            /// Sets what the server takes of a schema, for one that takes another part than the
            /// provider's own: how all tools are sent, and how their arguments come back. See
            /// [`Dialect`](super::Dialect).
            pub fn with_profile(mut self, profile: $crate::profile::Profile) -> Self {
                self.remote = self.remote.with_profile(profile);
                self
            }

            /// Sets how long connecting may take; 10 s by default.
            pub fn with_connect_timeout(self, timeout: std::time::Duration) -> Self {
                self.with_transport(|transport| transport.with_connect_timeout(timeout))
            }

            /// Sets how long the server may be silent, before its reply and within it; 300 s by
            /// default. Replies that are not streamed are silent while the model writes.
            pub fn with_read_timeout(self, timeout: std::time::Duration) -> Self {
                self.with_transport(|transport| transport.with_read_timeout(timeout))
            }

            /// Sets how long a whole reply may take, however much comes of it; an hour by default.
            pub fn with_total_timeout(self, timeout: std::time::Duration) -> Self {
                self.with_transport(|transport| transport.with_total_timeout(timeout))
            }

            /// Sets how long a reply may be, in bytes; 64 MiB by default.
            pub fn with_body_limit(self, bytes: usize) -> Self {
                self.with_transport(|transport| transport.with_body_limit(bytes))
            }

            fn with_transport(
                mut self,
                change: impl FnOnce($crate::transport::Transport) -> $crate::transport::Transport,
            ) -> Self {
                self.remote = self.remote.with_transport(change);
                self
            }
        }

        impl $crate::model::ChatModel for $model {
            fn stream<'a>(
                &'a self,
                request: &'a $crate::model::ModelRequest,
            ) -> $crate::model::ModelStream<'a> {
                self.remote.stream(request)
            }

            fn complete<'a>(
                &'a self,
                request: &'a $crate::model::ModelRequest,
            ) -> $crate::tool::BoxFuture<
                'a,
                Result<$crate::model::ModelResponse, $crate::model::ModelError>,
            > {
                Box::pin(self.remote.complete(request))
            }
        }

        impl std::fmt::Debug for $model {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.remote.fmt_as(stringify!($model), f)
            }
        }
    };
}

pub(in crate::provider) use remote_model;
