//! `?` on the error types that applications wrap every error in: `anyhow::Error` and `eyre::Report`.

use std::error::Error;

use super::{ToolError, with_causes};

/// A `ToolError` that was thrown through it keeps what the model reads, also below a context. The
/// whole chain is for the log. Anything else is an internal error.
#[cfg(feature = "anyhow")]
impl From<anyhow::Error> for ToolError {
    fn from(error: anyhow::Error) -> Self {
        of_chain(error.chain(), error.as_ref())
    }
}

/// A `ToolError` that was thrown through it keeps what the model reads, also below a context. The
/// whole chain is for the log. Anything else is an internal error.
#[cfg(feature = "eyre")]
impl From<eyre::Report> for ToolError {
    fn from(error: eyre::Report) -> Self {
        of_chain(error.chain(), error.as_ref())
    }
}

fn of_chain<'a>(
    mut chain: impl Iterator<Item = &'a (dyn Error + 'static)>,
    outermost: &(dyn Error + 'static),
) -> ToolError {
    let thrown = chain
        .by_ref()
        .enumerate()
        .find_map(|(place, error)| Some((place, error.downcast_ref::<ToolError>()?)));
    let Some((place, thrown)) = thrown else {
        return ToolError::from_source(super::ErrorCategory::Unknown, outermost);
    };
    let mut error = thrown.clone();
    if place > 0 {
        let mut log = with_causes(outermost);
        if let Some(own) = &thrown.log {
            log.push_str(": ");
            log.push_str(own);
        }
        error.log = Some(log);
    }
    error
}

#[cfg(test)]
mod tests {
    use super::ToolError;
    use crate::ErrorCategory;

    fn thrown() -> ToolError {
        ToolError::not_found("there is no such order")
            .with_detail("order", 7)
            .with_log("table `orders`")
    }

    /// Checks the rules for every report type, with three errors: one without a context, one with two
    /// contexts, and one that is no `ToolError`.
    fn check(plain: &ToolError, wrapped: ToolError, other: &ToolError) {
        assert_eq!(plain, &thrown());
        let log = wrapped.log.clone();
        assert_eq!(
            log.as_deref(),
            Some("asking the shop: reading orders: there is no such order: table `orders`")
        );
        assert_eq!(wrapped.with_log("table `orders`"), thrown());
        assert_eq!(other.category, ErrorCategory::Unknown);
        assert_eq!(other.message, "the tool failed with an internal error");
        assert_eq!(other.log.as_deref(), Some("asking the shop: no socket"));
    }

    #[cfg(feature = "anyhow")]
    #[test]
    fn anyhow_keeps_what_was_thrown() {
        use anyhow::{Context, Error};
        let wrapped = Err::<(), _>(thrown()).context("reading orders");
        let wrapped = wrapped.context("asking the shop").unwrap_err();
        let other = Error::msg("no socket").context("asking the shop");
        check(&Error::new(thrown()).into(), wrapped.into(), &other.into());
    }

    #[cfg(feature = "eyre")]
    #[test]
    fn eyre_keeps_what_was_thrown() {
        use eyre::{Report, WrapErr};
        let wrapped = Err::<(), _>(thrown()).wrap_err("reading orders");
        let wrapped = wrapped.wrap_err("asking the shop").unwrap_err();
        let other = Report::msg("no socket").wrap_err("asking the shop");
        check(&Report::new(thrown()).into(), wrapped.into(), &other.into());
    }
}
