//! `uuid`.

use uuid::Uuid;

use super::texts::{Formatted, formatted};

formatted! {
    [] Uuid: format = "uuid",
        "a UUID, such as \"67e55044-10b1-426f-9247-bb680e5fe0c8\"";
}
