//! What the guide shows is what is compiled here.

/// The code of the guide's section, a text each.
fn shown() -> Vec<&'static str> {
    let guide = include_str!("../../../../src/guide/clients.md");
    let blocks = guide.split("```ignore\n").skip(1);
    let blocks = blocks.map(|block| block.split("```").next().unwrap_or(block));
    blocks.collect()
}

#[test]
fn the_guide_shows_this_code() {
    let sources = [
        include_str!("../src/chat.rs"),
        include_str!("../src/genai.rs"),
        include_str!("../src/responses.rs"),
    ];
    // Without what a page has no room for.
    let sources = sources.map(|source| {
        let lines = source.lines().filter(|line| !line.starts_with("///"));
        lines.collect::<Vec<_>>().join("\n")
    });
    let shown = shown();
    assert_eq!(shown.len(), sources.len());
    for block in shown {
        let found = sources
            .iter()
            .any(|source| source.contains(block.trim_end()));
        assert!(found, "no file has this code:\n{block}");
    }
}
