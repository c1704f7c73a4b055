//! Meaning of the providers' error codes.

use toolwright_core::model::ModelErrorKind::{
    self, Authentication, ContentFilter, ContextTooLong, InvalidRequest, MalformedResponse,
    Overloaded, RateLimit, ToolsUnsupported,
};

/// The weight of a code against the status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    /// The same request never succeeds, whatever the status.
    Final,
    /// The same request may succeed later, whatever the status.
    Again,
    /// A broad name for what is wrong with the request: a status says more.
    Broad,
}

/// A row: what the codes decide, of which kind they are, and the codes in lower case with `_` between
/// words; `*` at the end stands for any end. A code of no row follows the status.
type Row = (Says, ModelErrorKind, &'static [&'static str]);

const ROWS: &[Row] = &[
    // No money or quota is left, which no short wait changes.
    (
        Says::Final,
        RateLimit,
        &[
            // OpenAI, and those that speak its protocol
            "insufficient_quota",
            "billing_hard_limit_reached",
            "billing_not_active",
            "credit_balance_exhausted",
            "organization_spend_limit_exceeded",
            "organization_usage_limit_exceeded",
            "project_spend_limit_exceeded",
            "usage_limit_reached",
            "usage_not_included",
            // Anthropic
            "billing_error",
            // Google: a quota of a day, or no account that pays
            "quota_exhausted",
            "billing_disabled",
            // Moonshot
            "exceeded_current_quota_error",
            // DeepSeek, OpenRouter, Together, Fireworks, Hugging Face
            "insufficient_balance",
            "insufficient_credits",
            "insufficient_funds",
            "payment_required",
            "credit_limit",
            "credits_required",
            // Alibaba
            "arrearage",
            // Z.ai (docs.z.ai/api-reference/api-code): no balance; a limit of a day, of a plan, of a week or month
            "1113",
            "1304",
            "1308",
            "1309",
            "1310",
            // MiniMax (platform.minimax.io/docs/api-reference/errorcode.md): no balance; the limit of a plan
            "base_resp.1008",
            "base_resp.2056",
        ],
    ),
    // A policy refused what was asked or answered.
    (
        Says::Final,
        ContentFilter,
        &[
            "bio_policy",
            "cyber_policy",
            "cyber_policy_violation",
            "misalignment_policy_violation",
            "image_content_policy_violation",
            "content_policy_violation",
            "content_filter",
            "content_filtered",
            "responsibleaipolicyviolation",
            "data_inspection_failed",
            "datainspectionfailed",
            // Z.ai
            "1301",
            // MiniMax: what is sent, what is answered
            "base_resp.1026",
            "base_resp.1027",
        ],
    ),
    // The key, the account or the region may not do this.
    (
        Says::Final,
        Authentication,
        &[
            "invalid_api_key",
            "incorrect_api_key_error",
            "invalid_authentication_error",
            "api_key_invalid",
            "api_key_expired",
            "access_terminated",
            "account_deactivated",
            "consumer_suspended",
            "blocked_api_access",
            "unsupported_country_region_territory",
            "service_disabled",
            "unauthenticated",
            "authentication_error",
            "permission_error",
            "permission_denied",
            "permission_denied_error",
            // Z.ai: the key, the account, a model or an API that the account may not use
            "1000",
            "1001",
            "1002",
            "1003",
            "1004",
            "1110",
            "1111",
            "1112",
            "1121",
            "1220",
            "1311",
            // MiniMax
            "base_resp.1004",
            "base_resp.2049",
        ],
    ),
    (
        Says::Final,
        ContextTooLong,
        &[
            "context_length_exceeded",
            "exceed_context_size_error",
            "context_window_exceeded",
            "model_context_window_exceeded",
            // Z.ai
            "1261",
        ],
    ),
    (
        Says::Final,
        ToolsUnsupported,
        &["tools_not_supported", "tool_use_not_supported"],
    ),
    // The request is wrong, or was cancelled.
    (
        Says::Final,
        InvalidRequest,
        &[
            "cancelled",
            "canceled",
            "client_closed_request",
            "data_residency_mismatch",
            "deploymentnotfound",
            "empty_image_file",
            "failed_to_download_image",
            "image_*",
            "invalid_argument",
            "invalid_base64_image",
            "invalid_image*",
            "invalid_parameter",
            "invalid_prompt",
            "invalid_type",
            "invalid_value",
            "missing_required_parameter",
            "model_not_found",
            "model_decommissioned",
            "request_too_large",
            "string_above_max_length",
            "unimplemented",
            "unknown_parameter",
            "unsupported_image_media_type",
            "unsupported_parameter",
            "unsupported_value",
            // Z.ai
            "1210",
            "1211",
            "1212",
            "1213",
            "1214",
            "1215",
            // MiniMax
            "base_resp.1042",
            "base_resp.2013",
        ],
    ),
    // Groq: the model wrote a call, or an answer, that does not parse. Another attempt may do better.
    (
        Says::Again,
        MalformedResponse,
        &["tool_use_failed", "json_validate_failed"],
    ),
    (
        Says::Again,
        RateLimit,
        &[
            "rate_limit_exceeded",
            "rate_limit_error",
            "rate_limit_reached_error",
            "rate_limited",
            "too_many_requests",
            "too_many_requests_error",
            "resource_exhausted",
            "throttling",
            "throttling.*",
            "limit_requests",
            "queue_exceeded",
            "slow_down",
            // Z.ai: too many at once, too often
            "1302",
            "1303",
            "1305",
            // MiniMax: requests, tokens, growth
            "base_resp.1002",
            "base_resp.1039",
            "base_resp.2045",
        ],
    ),
    (
        Says::Again,
        Overloaded,
        &[
            "overloaded_error",
            "engine_overloaded_error",
            "server_is_overloaded",
            "server_overloaded",
            "service_tier_capacity_exceeded",
            "capacity_exceeded",
            "model_capacity_exhausted",
            "flex_unavailable",
            "no_capacity",
            "server_error",
            "internal_server_error",
            "service_unavailable",
            "service_unavailable_error",
            "unavailable",
            "unavailable_error",
            "timeout_error",
            "deadline_exceeded",
            "vector_store_timeout",
            // Z.ai: the call failed, the network, too many visitors
            "1230",
            "1234",
            "1312",
            // MiniMax
            "base_resp.1000",
            "base_resp.1001",
            "base_resp.1024",
            "base_resp.1033",
        ],
    ),
    (
        Says::Broad,
        InvalidRequest,
        &[
            "invalid_request_error",
            "not_found_error",
            "resource_not_found_error",
            "badrequesterror",
            "notfounderror",
            "failed_precondition",
            "not_found",
            "out_of_range",
            "not_supported_error",
        ],
    ),
];

/// The kind of an error by its names, and whether the same request may succeed later, whatever the
/// status. A name that is final wins over one that is not.
pub(super) fn certain(names: &[String]) -> Option<(ModelErrorKind, bool)> {
    let last = find(names, Says::Final).map(|kind| (kind, false));
    last.or_else(|| find(names, Says::Again).map(|kind| (kind, true)))
}

/// Returns true if the names say that something is wrong with the request.
pub(super) fn blame_the_request(names: &[String]) -> bool {
    find(names, Says::Broad).is_some()
}

fn find(names: &[String], says: Says) -> Option<ModelErrorKind> {
    let mut rows = ROWS.iter().filter(|row| row.0 == says);
    let row = rows.find(|row| {
        names
            .iter()
            .any(|name| row.2.iter().any(|code| fits(code, name)))
    });
    row.map(|row| row.1)
}

fn fits(code: &str, name: &str) -> bool {
    match code.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => code == name,
    }
}

/// A name as the rows have it: vendors write `RESOURCE_EXHAUSTED` and `invalid-argument` too.
pub(super) fn normalized(name: &str) -> String {
    let name = name.trim().to_ascii_lowercase();
    name.replace(['-', ' '], "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_stands_once_and_as_it_is_looked_up() {
        let mut seen = Vec::new();
        for code in ROWS.iter().flat_map(|row| row.2) {
            assert_eq!(normalized(code), *code);
            assert!(!seen.contains(code), "{code}");
            seen.push(code);
        }
    }

    #[test]
    fn a_final_name_wins_over_one_that_is_not() {
        let names = ["rate_limit_exceeded", "insufficient_quota"].map(str::to_owned);
        assert_eq!(certain(&names), Some((RateLimit, false)));
        assert_eq!(certain(&["something_new".to_owned()]), None);
    }
}
