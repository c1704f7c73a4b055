//! What stands between the replies of a model: what the user says, and what tools give.

use toolwright::{
    Conversation, ToolCall, ToolError, ToolOutput, ToolResult,
    message::{Image, Part, UserMessage},
};

fn image() -> Image {
    Image::from_bytes("image/png", b"\x89PNG")
}

/// What a tool gives for the call at a place.
fn result(place: usize, call: &ToolCall, images: bool) -> ToolResult {
    let outcome = match place % 4 {
        0 => ToolOutput::json(&serde_json::json!({"city": call.name})),
        1 if images => Ok(ToolOutput::text("as you see").with_image(image())),
        2 => Err(ToolError::not_found("no such city").with_detail("city", "Oslo")),
        _ => Ok(ToolOutput::default()),
    };
    ToolResult::new(&call.id, outcome)
}

/// Adds what the user says when the model has had its say, or answers its calls, with images or
/// without.
pub(crate) fn go_on(conversation: &mut Conversation, images: bool) {
    let calls: Vec<_> = conversation.pending_calls().cloned().collect();
    if calls.is_empty() {
        let mut parts = vec![Part::Text("Go on, with this:".to_owned())];
        if images {
            parts.push(Part::Image(image()));
        }
        conversation.push_user(UserMessage::new(parts));
        return;
    }
    let results = calls.iter().enumerate();
    let results = results.map(|(place, call)| result(place, call, images));
    conversation
        .push_results(results)
        .expect("one for each call");
}
