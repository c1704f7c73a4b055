//! A store by its address.

use std::sync::Arc;

use super::{MemoryStore, Store, StoreError, StoreErrorKind};

/// The schemes, each with the feature that has it, and whether this build has that feature.
const SCHEMES: [(&str, &str, bool); 3] = [
    ("memory", "runtime", true),
    ("sqlite", "sqlite", cfg!(feature = "sqlite-unbundled")),
    ("postgres", "postgres", cfg!(feature = "postgres")),
];

/// Opens the store that an address names, such as one from a configuration.
///
/// | Address | Store | Feature |
/// | --- | --- | --- |
/// | `memory:` | [`MemoryStore`], a new one | `runtime` (default) |
/// | `sqlite://runs.db`, `sqlite:///var/lib/shop/runs.db` | `SqliteStore`: a path from the working directory, and an absolute one | `sqlite` |
/// | `sqlite::memory:` | `SqliteStore` in memory | `sqlite` |
/// | `postgres://user:password@host/database` (or `postgresql:`) | `PostgresStore` without TLS | `postgres` |
///
/// The path of a file stands as it is, without `%20` and parameters. What an address cannot name is set by
/// `SqliteOptions` and `PostgresOptions`, which also connect with TLS.
///
/// ```
/// use toolwright::{ModelResponse, Runner, store, testing::ScriptedModel};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let address = std::env::var("CHAT_STORE").unwrap_or_else(|_| "memory:".to_owned());
/// let model = ScriptedModel::new([ModelResponse::from_text("Hello.")]);
/// let runner = Runner::builder(model).store("support", store::open(&address).await?).build()?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`StoreErrorKind::Unavailable`] when the address cannot be read, or names a store that this build does not have; the
/// error names the missing feature. Otherwise as `SqliteStore::open` and `PostgresStore::connect`. No error has a
/// password.
pub async fn open(address: &str) -> Result<Arc<dyn Store>, StoreError> {
    let (scheme, rest) = address.split_once(':').unwrap_or_default();
    match scheme {
        "memory" if ["", "//"].contains(&rest) => Ok(Arc::new(MemoryStore::new())),
        #[cfg(feature = "sqlite-unbundled")]
        "sqlite" => {
            let path = rest.strip_prefix("//").unwrap_or(rest);
            if path.is_empty() || path.contains('?') {
                let why = "the address of SQLite has a path, and no parameters: `sqlite://runs.db`";
                return Err(unavailable(why));
            }
            Ok(Arc::new(match path {
                ":memory:" => super::SqliteStore::in_memory().await?,
                path => super::SqliteStore::open(path).await?,
            }))
        }
        #[cfg(feature = "postgres")]
        "postgres" | "postgresql" if rest.starts_with("//") => {
            Ok(Arc::new(super::PostgresStore::connect(address).await?))
        }
        _ => Err(unknown(address, &SCHEMES)),
    }
}

/// No store is known by this address. It may be a password in the wrong place, so at most its scheme is shown.
fn unknown(address: &str, schemes: &[(&str, &str, bool)]) -> StoreError {
    let built: Vec<_> = schemes.iter().filter(|(.., is_built)| *is_built).collect();
    let built: Vec<_> = built
        .iter()
        .map(|(scheme, ..)| format!("`{scheme}:`"))
        .collect();
    let built = format!("this build has {}", built.join(", "));
    let named = address.split_once("://").map(|(scheme, _)| scheme);
    let known = |(scheme, ..): &&(&str, &str, bool)| {
        let rest = address.strip_prefix(scheme);
        rest.is_some_and(|rest| rest.starts_with(':') || rest.starts_with("ql://"))
    };
    unavailable(match schemes.iter().find(known) {
        Some((scheme, feature, false)) => {
            format!("the scheme `{scheme}:` needs the feature `{feature}` of toolwright: {built}")
        }
        Some((scheme, ..)) => format!("the address after `{scheme}:` cannot be read"),
        None => match named {
            Some(scheme) => format!("no store has the scheme `{scheme}:`: {built}"),
            None => format!("the address of a store begins with its scheme: {built}"),
        },
    })
}

fn unavailable(why: impl Into<String>) -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_missing_feature_is_named() {
        let schemes = [
            ("memory", "runtime", true),
            ("sqlite", "sqlite", true),
            ("postgres", "postgres", false),
        ];
        let why = |address| unknown(address, &schemes).message;
        let missing = "the scheme `postgres:` needs the feature `postgres` of toolwright: this build has `memory:`, `sqlite:`";
        assert_eq!(why("postgres://ada:hunter2@localhost/shop"), missing);
        assert_eq!(why("postgresql://ada:hunter2@localhost/shop"), missing);
        let other = "no store has the scheme `mysql:`: this build has `memory:`, `sqlite:`";
        assert_eq!(why("mysql://ada:hunter2@localhost/shop"), other);
        let none =
            "the address of a store begins with its scheme: this build has `memory:`, `sqlite:`";
        assert_eq!(why("runs.db"), none);
        assert_eq!(why("hunter2:"), none);
        assert_eq!(
            why("memory:hunter2"),
            "the address after `memory:` cannot be read"
        );
    }
}
