//! Who may ask over HTTP, for the server of [toolwright](https://docs.rs/toolwright) and its service of the Model Context
//! Protocol.
//!
//! Depend on `toolwright` with the feature `server` or `mcp`, which re-exports what programs need of this crate. The rest is for
//! those two, and may change with any version.
//!
//! - Without a hook that says who calls, only this machine may: the peer's address and the `Host` are loopback, and no proxy
//!   has passed the request on. A page of another name that resolves to this machine has that name in its `Host`.
//! - A page of another origin may ask if its origin is in the list.

mod hook;
mod host;
mod local;
mod origins;
mod preflight;
mod refusal;
mod response;
mod visit;

pub use hook::{OwnerHook, identify};
pub use local::check_local;
pub use origins::{Origins, is_of_own_page};
pub use preflight::{is_preflight, preflight};
pub use refusal::Refusal;
pub use response::protect;
pub use visit::Visit;
