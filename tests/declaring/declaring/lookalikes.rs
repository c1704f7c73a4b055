//! Programs that look like a mistake that is refused, and are none.

use std::{path::Path, sync::Arc};

use toolwright::{ToolContext, ToolError, ToolInput, tool, tools, toolset};

use super::{run_in, text};

mod search {
    pub(super) fn prepare() {}
}

#[test]
#[expect(clippy::items_after_statements, reason = "that is what is shown")]
fn statements_begin_with_the_words_of_items() {
    let mut union = std::collections::BTreeSet::new();
    crate::declaring::lookalikes::search::prepare();
    union.insert(1);

    /// Search the archive.
    #[tool]
    fn search(words: String) -> String {
        words
    }

    /// Insert a line into the text.
    #[tool]
    fn insert(line: String) -> String {
        line
    }

    let tools = toolset![search, insert];
    assert_eq!(text(&tools, "search", r#"{"words":"a"}"#), "a");
    assert_eq!(text(&tools, "insert", r#"{"line":"b"}"#), "b");
}

/// A shop of some size.
struct Shop<const SIZE: usize>(usize);

const SMALL: usize = 1;

#[tools]
impl Shop<{ SMALL }> {
    /// Say how large the small shop is.
    #[tool]
    fn small_size(&self) -> usize {
        self.0
    }
}

#[tools]
impl Shop<{ SMALL + 1 }> {
    /// Say how large the large shop is.
    #[tool]
    fn large_size(&self) -> usize {
        self.0
    }
}

#[test]
fn blocks_of_one_type_with_other_values() {
    let (small, large) = (Shop::<SMALL>(1).into_tools(), Shop::<2>(2).into_tools());
    assert_eq!(text(&small, "small_size", "{}"), "1");
    assert_eq!(text(&large, "large_size", "{}"), "2");
}

mod aliases {
    use super::{Arc, ToolError};

    /// Boxes what is returned.
    pub(super) type Result<T> = std::result::Result<Box<T>, ToolError>;

    /// Shares what is in the context.
    pub(super) type Extension<T> = toolwright::tool::Extension<Arc<T>>;
}

mod boxing {
    use super::{
        aliases::{Extension, Result},
        tool,
    };

    /// Say what stands in the context.
    #[tool]
    #[expect(clippy::unnecessary_wraps, reason = "the alias is what is shown")]
    pub(super) fn stored(#[context] text: Extension<str>) -> Result<str> {
        Ok((**text).into())
    }
}

/// The length of a path, beside a parameter that has its name.
fn length(path: &Path) -> usize {
    path.as_os_str().len()
}

#[derive(serde::Deserialize, ToolInput)]
struct Named<Path> {
    path: Path,
}

/// Say how long a path is.
#[tool]
fn path_length(of: Named<String>) -> usize {
    length(of.path.as_ref())
}

#[test]
fn types_with_the_name_of_one_without_a_size() {
    let tools = toolset![path_length, boxing::stored];
    assert_eq!(text(&tools, "path_length", r#"{"of":{"path":"a/b"}}"#), "3");
    let cx = ToolContext::new("call_1").with_extension(Arc::<str>::from("a"));
    let output = run_in(&tools, "stored", "{}", &cx).expect("it is there");
    assert_eq!(output.to_text(), "a");
}

/// A constant of every type.
trait Constant {
    /// Has the name of one that the generated code once asked for.
    const IS: u8 = 0;
}

impl<T> Constant for T {}

#[derive(serde::Deserialize, ToolInput)]
struct Line {
    items: Vec<Item>,
}

#[derive(serde::Deserialize, ToolInput)]
struct Item {
    count: u8,
}

/// Count the items of some lines.
#[tool]
async fn count_items(lines: Vec<Line>) -> u8 {
    let items = lines.iter().flat_map(|line| &line.items);
    items.map(|item| item.count).sum::<u8>() + Line::IS
}

#[test]
fn every_type_has_a_constant() {
    let tools = toolset![count_items];
    let lines = r#"{"lines":[{"items":[{"count":1},{"count":2}]}]}"#;
    assert_eq!(text(&tools, "count_items", lines), "3");
}
