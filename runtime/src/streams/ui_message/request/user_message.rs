//! The new message of a user.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{ChatRequestError, ChatRequestLimits, malformed, short};
use crate::{UserMessage, image::Image, message::Part};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UiPart {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
    media_type: Option<String>,
    url: Option<String>,
}

/// The message of these parts.
pub(super) fn of_parts(
    parts: &[&RawValue],
    limits: &ChatRequestLimits,
) -> Result<UserMessage, ChatRequestError> {
    let mut taken = Vec::new();
    let (mut text_bytes, mut images) = (0, 0);
    for part in parts {
        let part: UiPart = serde_json::from_str(part.get()).map_err(malformed)?;
        match (part.kind.as_str(), part.text, part.url) {
            ("text", Some(text), _) => {
                text_bytes += text.len();
                if text_bytes > limits.text_bytes {
                    let max = limits.text_bytes;
                    let what = format!("a text of more than {max} bytes");
                    return Err(ChatRequestError::Part(what));
                }
                if !text.is_empty() {
                    taken.push(Part::Text(text));
                }
            }
            ("file", _, Some(url)) => {
                images += 1;
                if images > limits.images {
                    let what = format!("more than {} images", limits.images);
                    return Err(ChatRequestError::Part(what));
                }
                taken.push(Part::Image(image(&url, part.media_type.as_deref())?));
            }
            (kind, ..) => {
                let what = format!("a part of the type `{}`", short(kind));
                return Err(ChatRequestError::Part(what));
            }
        }
    }
    let says = |part: &Part| !matches!(part, Part::Text(text) if text.trim().is_empty());
    if !taken.iter().any(says) {
        return Err(ChatRequestError::Empty);
    }
    Ok(UserMessage::new(taken))
}

/// The image of a `data:` URL in base64.
fn image(url: &str, media_type: Option<&str>) -> Result<Image, ChatRequestError> {
    let parts = url
        .strip_prefix("data:")
        .and_then(|rest| rest.split_once(";base64,"));
    let Some((of_url, data)) = parts else {
        let what = "a file that is not in a `data:` URL".to_owned();
        return Err(ChatRequestError::Part(what));
    };
    let is_known = ["image/png", "image/jpeg", "image/gif", "image/webp"].contains(&of_url)
        && media_type.is_none_or(|claimed| claimed == of_url);
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
    if !is_known || data.is_empty() || !data.bytes().all(is_base64) {
        let what = "a file that is no PNG, JPEG, GIF or WebP image".to_owned();
        return Err(ChatRequestError::Part(what));
    }
    Ok(Image::Base64 {
        media_type: of_url.to_owned(),
        data: data.into(),
    })
}
