//! Differences between the generations of Claude, by the name of a model.

/// How a model can be asked to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Thinks {
    /// Not at all.
    Never,
    /// By a budget in tokens.
    ByBudget,
    /// By a budget or by an effort.
    Either,
    /// By an effort, and only if it is asked to.
    ByEffort,
    /// By an effort, unless it is asked not to.
    ByItself,
    /// By an effort, and always.
    Always,
}

/// What a generation takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Generation {
    pub(super) thinks: Thinks,
    /// A temperature other than 1 is taken while it does not think.
    pub(super) samples: bool,
    /// The effort `xhigh` is taken.
    pub(super) xhigh: bool,
    /// A forced call is taken at all.
    pub(super) forces: bool,
}

const fn generation(thinks: Thinks) -> Generation {
    let new = !matches!(thinks, Thinks::Never | Thinks::ByBudget | Thinks::Either);
    Generation {
        thinks,
        samples: !new,
        xhigh: new,
        forces: true,
    }
}

/// A model whose name says no generation, such as one of another vendor.
const UNKNOWN: Generation = Generation {
    xhigh: true,
    ..generation(Thinks::Either)
};

const ALWAYS_AND_UNFORCED: Generation = Generation {
    forces: false,
    ..generation(Thinks::Always)
};

/// The first version of each generation.
///
/// - Thinking: <https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-adaptive-thinking.html>,
///   <https://platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5>,
///   <https://platform.claude.com/docs/zh-CN/models/opus-5/migration-guide>
/// - Efforts: <https://platform.claude.com/docs/en/build-with-claude/effort>
/// - Temperature: <https://docs.memberjunction.org/v6.2/api/functions/_memberjunction_ai-anthropic.RejectsSamplingParams.html>
/// - Forced calls: <https://github.com/vercel/ai/releases/tag/@ai-sdk%2Fanthropic@4.0.60>
const GENERATIONS: [((u32, u32), Generation); 6] = [
    ((0, 0), generation(Thinks::Never)),
    ((3, 7), generation(Thinks::ByBudget)),
    ((4, 6), generation(Thinks::Either)),
    ((4, 7), generation(Thinks::ByEffort)),
    ((5, 0), generation(Thinks::ByItself)),
    ((5, 5), ALWAYS_AND_UNFORCED),
];

/// The generations of the families that always think, by the same sources.
const FABLES: [((u32, u32), Generation); 2] = [
    ((0, 0), generation(Thinks::Always)),
    ((5, 1), ALWAYS_AND_UNFORCED),
];

/// The generation of a model.
pub(super) fn of(model: &str) -> Generation {
    let version = version(model);
    let (table, version) = match (is_fable(model), version) {
        (true, version) => (&FABLES[..], version.unwrap_or_default()),
        (false, Some(version)) => (&GENERATIONS[..], version),
        (false, None) => return UNKNOWN,
    };
    let rows = table.iter().take_while(|(from, _)| *from <= version);
    rows.last().map_or(UNKNOWN, |(_, generation)| *generation)
}

/// Returns true if the provider itself searches for tools: from version 4.5 on.
pub(super) fn searches_tools(model: &str) -> bool {
    model.starts_with("claude-") && version(model).is_some_and(|version| version >= (4, 5))
}

fn is_fable(model: &str) -> bool {
    model.contains("claude-fable") || model.contains("claude-mythos")
}

/// The version in a name: 4.5 of `claude-opus-4-5-20251101`, and of `anthropic/claude-4.5-opus`.
fn version(model: &str) -> Option<(u32, u32)> {
    let (_, rest) = model.split_once("claude-")?;
    // What is longer than a version is a date.
    let number = |word: &str| word.parse().ok().filter(|number: &u32| *number < 100);
    let mut words = rest.split(['-', '.', '@', ':']);
    let major = words.find_map(number)?;
    Some((major, words.next().and_then(number).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::{Thinks, UNKNOWN, of, version};

    #[test]
    fn a_name_says_the_version_or_not() {
        let check = |model, expected| assert_eq!(version(model), expected, "{model}");
        check("claude-3-7-sonnet-20250219", Some((3, 7)));
        check("claude-3-5-sonnet-latest", Some((3, 5)));
        check("claude-opus-4-20250514", Some((4, 0)));
        check("claude-opus-4-5-20251101", Some((4, 5)));
        check("claude-opus-4-5@20251101", Some((4, 5)));
        check("us.anthropic.claude-opus-4-6-v1:0", Some((4, 6)));
        check("anthropic/claude-4.6-opus", Some((4, 6)));
        check("claude-sonnet-5", Some((5, 0)));
        check("claude-mythos-preview", None);
        check("kimi-k2", None);
    }

    #[test]
    fn each_generation_thinks_in_its_way() {
        let check = |model, thinks| assert_eq!(of(model).thinks, thinks, "{model}");
        check("claude-3-5-haiku-20241022", Thinks::Never);
        check("claude-3-7-sonnet-20250219", Thinks::ByBudget);
        check("claude-haiku-4-5", Thinks::ByBudget);
        check("claude-sonnet-4-6", Thinks::Either);
        check("claude-opus-4-8", Thinks::ByEffort);
        check("claude-opus-5", Thinks::ByItself);
        check("claude-sonnet-5-5", Thinks::Always);
        check("claude-fable-5", Thinks::Always);
        check("claude-mythos-preview", Thinks::Always);
        assert!(of("claude-fable-5").forces && !of("claude-fable-5-1").forces);
        assert_eq!(of("MiniMax-M2"), UNKNOWN);
        assert_eq!(of("claude-sonnet-latest"), UNKNOWN);
    }
}
