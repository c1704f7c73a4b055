//! Hooks that sign requests, or inspect them.

use std::sync::Arc;

use toolwright_core::{
    model::{ModelError, ModelErrorKind},
    tool::BoxFuture,
};

use crate::{
    provider::application_error::{Failed, of_application},
    transport::OutgoingRequest,
};

type Done = BoxFuture<'static, Result<OutgoingRequest, Failed>>;

/// A function that receives each request before it is sent.
#[derive(Clone)]
pub(in crate::provider) struct Hook(Arc<dyn Fn(OutgoingRequest) -> Done + Send + Sync>);

impl Hook {
    pub(super) fn new<F, G>(hook: F) -> Self
    where
        F: Fn(OutgoingRequest) -> G + Send + Sync + 'static,
        G: Future<Output = Result<OutgoingRequest, Failed>> + Send + 'static,
    {
        Self(Arc::new(move |request| Box::pin(hook(request))))
    }

    pub(in crate::provider) async fn pass(
        &self,
        request: OutgoingRequest,
    ) -> Result<OutgoingRequest, ModelError> {
        (self.0)(request).await.map_err(|error| {
            let what = "the hook refused the request";
            of_application(error, ModelErrorKind::InvalidRequest, what)
        })
    }
}
