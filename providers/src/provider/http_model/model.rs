//! The public methods of every provider's model.

/// Gives the model of a provider its settings of the connection, and makes it a model. The type has
/// the one field `http`; `$path` is what follows its base URL.
macro_rules! http_model {
    ($model:ident, $path:literal) => {
        impl $model {
            #[doc = concat!("Sets where the API is, up to and without `", $path, "`. A query is kept.")]
            pub fn with_base_url(mut self, url: impl Into<String>) -> Self {
                self.http = self.http.with_base_url(url);
                self
            }

            /// Adds a header to every request, or replaces one that is sent anyway. Values are treated
            /// like the key: they are not shown.
            pub fn with_header(
                mut self,
                name: impl Into<String>,
                value: impl Into<String>,
            ) -> Self {
                self.http = self.http.with_header(name.into(), value.into());
                self
            }

            /// Sets the profile of a server that accepts other schemas than the provider's own. It decides
            /// the form in which all tools are sent, and in which their arguments come back. See
            /// [`Dialect`](super::Dialect).
            pub fn with_profile(mut self, profile: $crate::profile::Profile) -> Self {
                self.http = self.http.map_codec(|dialect| dialect.with_profile(profile));
                self
            }

            /// Sets the key. It replaces an earlier key or key source. An empty key is not sent.
            pub fn with_api_key(mut self, key: impl Into<$crate::provider::ApiKey>) -> Self {
                self.http = self.http.with_api_key(key);
                self
            }

            /// Sets the source of the key: `source` is called at each request, and replaces an earlier key.
            /// It should cache a key for as long as the key is valid, and then fetch another. Its time is
            /// part of the [total](Self::with_total_timeout).
            ///
            /// Its error becomes one of the kind `Authentication`, with its message; a
            /// [`ModelError`](toolwright_runtime::ModelError) is returned unchanged. Its keys are hidden in
            /// errors.
            ///
            /// ```
            #[doc = concat!("use toolwright::", stringify!($model), ";")]
            ///
            /// # async fn token() -> std::io::Result<String> { Ok(String::new()) }
            #[doc = concat!("# fn with_source(model: ", stringify!($model), ") -> ", stringify!($model), " {")]
            /// model.with_key_source(async || Ok(token().await?))
            /// # }
            /// ```
            pub fn with_key_source<F, G, K>(mut self, source: F) -> Self
            where
                F: Fn() -> G + Send + Sync + 'static,
                G: Future<Output = Result<K, Box<dyn std::error::Error + Send + Sync>>>
                    + Send
                    + 'static,
                K: Into<$crate::provider::ApiKey>,
            {
                self.http = self.http.with_key_source(source);
                self
            }

            /// Adds a hook that receives each complete request just before it is sent, and returns it. The
            /// hook may sign the request, set its headers, or only inspect it. Several hooks run in the
            /// order in which they were added; their time is part of the
            /// [total](Self::with_total_timeout).
            ///
            /// If it returns an error, the request is not sent. The error becomes one of the kind
            /// `InvalidRequest`, with its message; a [`ModelError`](toolwright_runtime::ModelError) is
            /// returned unchanged. The headers that the hook sets are hidden in errors.
            ///
            /// ```
            #[doc = concat!("use toolwright::", stringify!($model), ";")]
            ///
            /// # fn signature(_: &str, _: &[u8]) -> String { String::new() }
            #[doc = concat!("# fn with_hook(model: ", stringify!($model), ") -> ", stringify!($model), " {")]
            /// model.with_request_hook(async |mut request| {
            ///     let signature = signature(request.url(), request.body());
            ///     request.set_header("x-signature", &signature)?;
            ///     Ok(request)
            /// })
            /// # }
            /// ```
            pub fn with_request_hook<F, G>(mut self, hook: F) -> Self
            where
                F: Fn($crate::provider::OutgoingRequest) -> G + Send + Sync + 'static,
                G: Future<
                        Output = Result<
                            $crate::provider::OutgoingRequest,
                            Box<dyn std::error::Error + Send + Sync>,
                        >,
                    > + Send
                    + 'static,
            {
                self.http = self.http.with_request_hook(hook);
                self
            }

            /// Sends every request through a proxy, also one to this machine: `http://` or `https://`,
            /// with user and password if it needs them, which are not shown. The proxies of the
            /// environment are then ignored.
            ///
            /// Without this, and without [`without_proxy`](Self::without_proxy), requests go as the system
            /// and the environment say (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`), and those to
            /// this machine go directly. An invalid address is an error of each request.
            pub fn with_proxy(self, url: impl Into<String>) -> Self {
                let url = url.into().into();
                self.with_transport(|transport| transport.with_proxy(url))
            }

            /// Sends every request directly. Proxies of the system and the environment are ignored.
            pub fn without_proxy(self) -> Self {
                self.with_transport($crate::transport::Transport::without_proxy)
            }

            /// Sets the capabilities of the model. Without this they are learnt from errors: after the server
            /// has answered that the model supports no tools, the model and its clones report that.
            pub fn with_capabilities(mut self, capabilities: ::toolwright_runtime::model::ModelCapabilities) -> Self {
                self.http = self.http.with_capabilities(capabilities);
                self
            }

            /// Sets the time limit for connecting, to the end of the TLS handshake; 10 s by default.
            pub fn with_connect_timeout(self, timeout: std::time::Duration) -> Self {
                self.with_transport(|transport| transport.with_connect_timeout(timeout))
            }

            /// Sets the time limit for the beginning of a reply: from the start of the request, connecting
            /// included, to the end of the reply's head; 600 s by default. If a reply is not streamed, the
            /// server sends nothing while the model writes it.
            pub fn with_first_byte_timeout(self, timeout: std::time::Duration) -> Self {
                self.with_transport(|transport| transport.with_first_byte_timeout(timeout))
            }

            /// Sets the longest time without data after a reply has begun; 300 s by default.
            pub fn with_idle_timeout(self, timeout: std::time::Duration) -> Self {
                self.with_transport(|transport| transport.with_idle_timeout(timeout))
            }

            /// Sets the time limit of a whole request, from the fetching of its key to the end of the reply,
            /// even if data keeps coming; an hour by default.
            pub fn with_total_timeout(self, timeout: std::time::Duration) -> Self {
                self.with_transport(|transport| transport.with_total_timeout(timeout))
            }

            /// Sets the maximum length of a reply in bytes, both as it comes and decompressed; 64 MiB by
            /// default.
            pub fn with_body_limit(self, bytes: usize) -> Self {
                self.with_transport(|transport| transport.with_body_limit(bytes))
            }

            /// Sets the maximum length of one event of a streamed reply in bytes; 16 MiB by default, enough
            /// for an image in base64.
            pub fn with_event_limit(self, bytes: usize) -> Self {
                self.with_transport(|transport| transport.with_event_limit(bytes))
            }

            fn with_transport(
                mut self,
                change: impl FnOnce($crate::transport::Transport) -> $crate::transport::Transport,
            ) -> Self {
                self.http = self.http.with_transport(change);
                self
            }
        }

        impl ::toolwright_runtime::model::ChatModel for $model {
            fn stream<'a>(
                &'a self,
                request: &'a ::toolwright_runtime::model::ModelRequest,
            ) -> ::toolwright_runtime::model::ModelStream<'a> {
                self.http.stream(request)
            }

            fn complete<'a>(
                &'a self,
                request: &'a ::toolwright_runtime::model::ModelRequest,
            ) -> ::toolwright_runtime::tool::BoxFuture<
                'a,
                Result<::toolwright_runtime::model::ModelResponse, ::toolwright_runtime::model::ModelError>,
            > {
                self.http.complete(request)
            }

            fn capabilities(&self) -> ::toolwright_runtime::model::ModelCapabilities {
                self.http.capabilities()
            }
        }

        impl std::fmt::Debug for $model {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.http.fmt_as(stringify!($model), f)
            }
        }
    };
}

pub(in crate::provider) use http_model;
