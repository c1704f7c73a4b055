//! The table of results, in Markdown.

use std::{collections::BTreeMap, fmt, time::SystemTime};

/// What came of a behaviour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    Holds,
    Differs(String),
    NotRun(String),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line =
            |why: &str| -> String { why.replace(['\n', '|'], " ").chars().take(120).collect() };
        match self {
            Self::Holds => f.write_str("holds"),
            Self::Differs(why) => write!(f, "differs: {}", line(why)),
            Self::NotRun(why) => write!(f, "not run: {}", line(why)),
        }
    }
}

/// The results of a provider.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) provider: String,
    pub(crate) model: String,
    pub(crate) cost: f64,
    pub(crate) results: Vec<(String, Verdict)>,
}

impl Column {
    pub(crate) fn differs(&self) -> bool {
        let mut results = self.results.iter();
        results.any(|(_, verdict)| matches!(verdict, Verdict::Differs(_)))
    }
}

/// The table, with the date.
pub(crate) fn of(columns: &[Column]) -> String {
    let date = httpdate::fmt_http_date(SystemTime::now());
    let mut text = format!(
        "\nTried on {date} with toolwright {}.\n\n",
        env!("CARGO_PKG_VERSION")
    );
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let heads = columns
        .iter()
        .map(|it| format!("{}, `{}`", it.provider, it.model));
    text += &row(std::iter::once("Behaviour".to_owned())
        .chain(heads)
        .collect());
    text += &row(vec!["---".to_owned(); columns.len() + 1]);
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in columns.iter().flat_map(|column| &column.results) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let found: Vec<BTreeMap<_, _>> = columns
        .iter()
        .map(|column| {
            column
                .results
                .iter()
                .map(|(name, it)| (name.as_str(), it))
                .collect()
        })
        .collect();
    for name in names {
        let cells = found.iter().map(|of| of.get(name).map(ToString::to_string));
        let cells = cells.map(Option::unwrap_or_default);
        text += &row(std::iter::once(name.to_owned()).chain(cells).collect());
    }
    let costs = columns.iter().map(|column| format!("{:.4}", column.cost));
    text + &row(std::iter::once("Cost at most".to_owned())
        .chain(costs)
        .collect())
}
