//! `url`.

use url::Url;

use super::texts::{Formatted, formatted};

formatted! {
    [] Url: format = "uri",
        "an absolute URL, such as \"https://example.com/path\"";
}
