//! All tools of the server.

use toolwright::Toolset;

use crate::{asking, changing, long, tools};

pub(crate) fn tools() -> Result<Toolset, Box<dyn std::error::Error>> {
    Ok(tools::tools()?
        .merge(changing::tools())?
        .merge(asking::tools())?
        .merge(long::tools())?)
}
