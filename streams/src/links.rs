//! Addresses of sources, which pages show as links.

use toolwright_core::message::{ProviderActivity, Source};

/// The activity with the addresses that may become links: those of `http` and `https`. Models and the pages that they
/// found write addresses, and one of `javascript:` or `data:` would run in the page of the user. Any other address is
/// the title of a source without a title, so that it can be read.
pub(super) fn with_safe_links(mut activity: ProviderActivity) -> ProviderActivity {
    match &mut activity {
        ProviderActivity::Tool(tool) => tool.sources.iter_mut().for_each(keep_safe),
        ProviderActivity::Citation(citation) => keep_safe(&mut citation.source),
        _ => {}
    }
    activity
}

fn keep_safe(source: &mut Source) {
    if is_link(&source.url) {
        return;
    }
    let address = std::mem::take(&mut source.url);
    if source.title.is_empty() {
        source.title = address;
    }
}

fn is_link(address: &str) -> bool {
    let begins_with = |scheme: &str| {
        let start = address.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    begins_with("https://") || begins_with("http://")
}

#[cfg(test)]
mod tests {
    use super::is_link;

    #[test]
    fn only_http_and_https_become_links() {
        for address in ["https://a.example/b?c#d", "http://a.example", "HTTPS://A"] {
            assert!(is_link(address), "{address}");
        }
        for address in [
            "",
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            " https://a.example",
            "\u{1}javascript:alert(1)",
            "java\nscript:alert(1)",
            "data:text/html,<script>alert(1)</script>",
            "vbscript:a",
            "blob:https://a.example/1",
            "file:///etc/passwd",
            "//a.example",
            "/admin",
            "https:alert(1)",
            "httpsé://",
        ] {
            assert!(!is_link(address), "{address}");
        }
    }
}
