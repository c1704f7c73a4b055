//! Results in short: one line that says what was there, or their beginning.

use toolwright_json::char_boundary;

use crate::{
    ToolError, ToolOutput,
    message::ToolRound,
    tool::{ToolCall, ToolResult},
};

/// The longest text of a result, in bytes, that is not worth a line in its place.
const SHORT: usize = 200;

/// The most characters of a tool's name in a line: it is the model's, and may be of any length.
const NAME: usize = 64;

/// A round whose results are one line each. Its response stays as it is.
pub(crate) fn shortened(round: &ToolRound) -> ToolRound {
    with_results(round, |call, text, images| {
        (images > 0 || text.len() > SHORT).then(|| {
            let name: String = call.name.chars().take(NAME).collect();
            let size = size(text.len(), images);
            format!("[result of `{name}` left out: {size}]")
        })
    })
}

/// A round with at most so many bytes of each result, and a line that says so. Its response stays as it is.
pub(crate) fn cut(round: &ToolRound, bytes: u64) -> ToolRound {
    let limit = usize::try_from(bytes).unwrap_or(usize::MAX);
    with_results(round, |_, text, images| {
        (images > 0 || text.len() > limit).then(|| {
            let head = &text[..char_boundary::floor(text, limit)];
            let missing = size(text.len() - head.len(), images);
            format!("{head}\n[the rest is left out: {missing}]")
        })
    })
}

/// A round with other texts of its results, where there is one for a call, the text of its result and its number of
/// images.
fn with_results(
    round: &ToolRound,
    other: impl Fn(&ToolCall, &str, usize) -> Option<String>,
) -> ToolRound {
    let results = round.answered_calls().map(|(call, result)| {
        let outcome = match &result.outcome {
            Ok(output) => {
                let text = result.to_model_text();
                let media = output.parts.iter().filter(|part| part.is_media()).count();
                other(call, &text, media).map(|text| Ok(ToolOutput::text(text)))
            }
            Err(error) => {
                let text = other(call, &error.message, 0);
                text.map(|text| Err(ToolError::new(error.category, text)))
            }
        };
        match outcome {
            Some(outcome) => ToolResult::new(&result.call_id, outcome),
            None => result.clone(),
        }
    });
    ToolRound {
        reply: round.reply.clone(),
        results: results.collect(),
    }
}

fn size(bytes: usize, images: usize) -> String {
    match images {
        0 => format!("{bytes} bytes"),
        1 => format!("{bytes} bytes, and 1 image"),
        _ => format!("{bytes} bytes, and {images} images"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ErrorCategory,
        message::{Image, Part},
    };

    fn round(result: ToolResult) -> ToolRound {
        ToolRound {
            reply: vec![Part::Call(ToolCall::new("a", "look", "{}"))].into(),
            results: vec![result].into(),
        }
    }

    fn texts(result: ToolResult, bytes: u64) -> [String; 2] {
        let round = round(result);
        [shortened(&round), cut(&round, bytes)].map(|short| {
            assert_eq!(short.reply, round.reply);
            let result = &short.results[0];
            assert_eq!(result.call_id, "a");
            assert_eq!(result.is_error(), round.results[0].is_error());
            assert_eq!(result.images().count(), 0);
            result.to_model_text().into_owned()
        })
    }

    #[test]
    fn a_line_says_what_was_there() {
        let long = "é".repeat(300);
        let head = "é".repeat(50);
        let cases = [
            (ToolResult::success("a", "sunny"), "sunny", "sunny"),
            (
                ToolResult::success("a", long.clone()),
                "[result of `look` left out: 600 bytes]",
                &format!("{head}\n[the rest is left out: 500 bytes]"),
            ),
            (
                ToolResult::success("a", ToolOutput::image(Image::from_url("https://a.b/c.png"))),
                "[result of `look` left out: 9 bytes, and 1 image]",
                "(1 image)\n[the rest is left out: 0 bytes, and 1 image]",
            ),
            (
                ToolResult::error("a", ToolError::new(ErrorCategory::NetworkError, long)),
                "Tool execution failed (networkError): [result of `look` left out: 600 bytes]",
                &format!(
                    "Tool execution failed (networkError): {head}\n[the rest is left out: 500 bytes]"
                ),
            ),
        ];
        for (result, line, beginning) in cases {
            assert_eq!(texts(result, 101), [line, beginning]);
        }
    }
}
