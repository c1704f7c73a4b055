//! Policy of a tool, for the program that runs it.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::{Capability, Given, Hints, Named, Period, Policy, Tool};

/// `StaticTool::POLICY`, where more is said than what the hints say.
pub(super) fn constant(tool: &Tool, p: &TokenStream) -> Option<TokenStream> {
    tool.policy.is_given().then(|| {
        let policy = expression(&tool.policy, &quote!(Self::HINTS), p);
        quote!(const POLICY: #p::ToolPolicy = #policy;)
    })
}

/// `Tool::policy` of a function, where it is not the default.
pub(super) fn method(tool: &Tool, p: &TokenStream) -> Option<TokenStream> {
    (tool.policy.is_given() || acts(&tool.hints)).then(|| {
        quote! {
            fn policy(&self) -> #p::ToolPolicy {
                <Self as #p::StaticTool>::POLICY
            }
        }
    })
}

/// Returns true if a hint decides whether a call may be repeated.
fn acts(hints: &Hints) -> bool {
    let mut acting = [&hints.read_only, &hints.idempotent].into_iter().flatten();
    acting.any(|hint| hint.value)
}

/// The policy, as an expression of the hints.
pub(super) fn expression(policy: &Policy, hints: &TokenStream, p: &TokenStream) -> TokenStream {
    let timeout = policy.timeout.as_ref().map(|timeout| {
        // Whole milliseconds of 32 bits times an hour at most.
        let millis = u64::try_from(timeout.value.as_millis()).unwrap_or(u64::MAX);
        quote!(.with_timeout(#p::Duration::from_millis(#millis)))
    });
    let retries = policy.retries.as_ref().map(|retries| {
        let retries = retries.value;
        quote!(.with_retries(#retries))
    });
    let rate_limit = policy.rate_limit.as_ref().map(|Given { value: rate, .. }| {
        let calls = rate.calls;
        let per = match rate.per {
            Period::Second => quote!(per_second),
            Period::Minute => quote!(per_minute),
            Period::Hour => quote!(per_hour),
        };
        let excess = rate
            .fails
            .then(|| quote!(.with_on_excess(#p::OnExcess::Fail)));
        quote!(.with_rate_limit(#p::RateLimit::#per(#calls) #excess))
    });
    let requires = (!policy.requires.is_empty()).then(|| {
        let all = policy
            .requires
            .iter()
            .map(|capability| self::capability(capability, p));
        quote!(.with_requires(#p::capabilities(&[#(#all),*])))
    });
    let max_output = policy.max_output.map(|bytes| {
        let bytes = proc_macro2::Literal::u32_unsuffixed(bytes);
        quote!(.with_max_output(#bytes))
    });
    let words = [
        (&policy.approval, quote!(.with_approval())),
        (&policy.sequential, quote!(.with_sequential())),
        (&policy.polls, quote!(.with_polls())),
        (&policy.ends_run, quote!(.with_ends_run())),
        (&policy.external, quote!(.with_external())),
        (&policy.spawn, quote!(.with_spawn())),
    ];
    let words = words
        .into_iter()
        .filter_map(|(word, call)| word.as_ref().map(|_| call));
    quote! {
        #p::ToolPolicy::of(#hints) #timeout #retries #rate_limit #requires #max_output #(#words)*
    }
}

fn capability(capability: &Capability, p: &TokenStream) -> TokenStream {
    match capability {
        Capability::Own(path) => quote!(#path),
        Capability::Named(Named::Network) => quote!(#p::Capabilities::NETWORK),
        Capability::Named(Named::Filesystem) => quote!(#p::Capabilities::FILESYSTEM),
        Capability::Named(Named::Database) => quote!(#p::Capabilities::DATABASE),
        Capability::Named(Named::Shell) => quote!(#p::Capabilities::SHELL),
    }
}
