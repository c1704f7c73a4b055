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

            /// Sets the profile of a server that accepts other schemas than the provider's own. It decides
            /// the form in which all tools are sent, and in which their arguments come back. See
            /// [`Dialect`]($crate::provider::Dialect).
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
            /// part of the [total](crate::provider::HttpOptions::with_total_timeout).
            ///
            /// Its error becomes one of the kind `Authentication`, with its message; a
            /// [`ModelError`](toolwright_core::ModelError) is returned unchanged. Its keys are hidden in
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

            /// Sets the connections, limits, headers and hooks of requests. They replace all that were set
            /// before.
            pub fn with_http(mut self, http: $crate::provider::HttpOptions) -> Self {
                self.http = self.http.with_http(http);
                self
            }

            /// Sets the capabilities of the model. Without this they are learnt from errors: after the server
            /// has answered that the model supports no tools, the model and its clones report that.
            pub fn with_capabilities(mut self, capabilities: ::toolwright_core::model::ModelCapabilities) -> Self {
                self.http = self.http.with_capabilities(capabilities);
                self
            }
        }

        impl ::toolwright_core::model::ChatModel for $model {
            fn stream<'a>(
                &'a self,
                request: &'a ::toolwright_core::model::ModelRequest,
            ) -> ::toolwright_core::model::ModelStream<'a> {
                self.http.stream(request)
            }

            fn complete<'a>(
                &'a self,
                request: &'a ::toolwright_core::model::ModelRequest,
            ) -> ::toolwright_core::tool::BoxFuture<
                'a,
                Result<::toolwright_core::model::ModelResponse, ::toolwright_core::model::ModelError>,
            > {
                self.http.complete(request)
            }

            fn name(&self) -> Option<&str> {
                self.http.name()
            }

            fn provider(&self) -> Option<&str> {
                self.http.provider()
            }

            fn capabilities(&self) -> ::toolwright_core::model::ModelCapabilities {
                self.http.capabilities()
            }

            fn takes_answer_schema(
                &self,
                request: &::toolwright_core::model::ModelRequest,
            ) -> bool {
                self.http.takes_answer_schema(request)
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
