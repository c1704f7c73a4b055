//! Blocks of content.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};
use toolwright_core::message::{Image, Opaque};
use toolwright_json::raw::RawJson;

use super::super::{
    container::CONTAINER,
    opaque::{TEXT, THINKING, TOOL_USE, kind_of},
};
use crate::codec::{
    cache_control::CacheControl,
    media::{Media, PDF},
    opaque_fields::OpaqueFields,
};

/// A content block.
#[derive(Debug, Serialize)]
pub(in super::super) struct Block<'a> {
    #[serde(flatten)]
    pub(super) kind: Kind<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cache_control: Option<CacheControl>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(in super::super) enum Kind<'a> {
    Text {
        text: Cow<'a, str>,
        #[serde(flatten)]
        fields: OpaqueFields<'a>,
    },
    Image {
        source: Source<'a>,
        #[serde(flatten)]
        fields: OpaqueFields<'a>,
    },
    Document {
        source: Source<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        citations: Option<Citations>,
        #[serde(flatten)]
        fields: OpaqueFields<'a>,
    },
    Thinking {
        thinking: Cow<'a, str>,
        #[serde(flatten)]
        fields: OpaqueFields<'a>,
    },
    ToolUse {
        id: Cow<'a, str>,
        name: Cow<'a, str>,
        input: RawJson<'a>,
        #[serde(flatten)]
        fields: OpaqueFields<'a>,
    },
    ToolResult {
        tool_use_id: Cow<'a, str>,
        content: Vec<Block<'a>>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
        #[serde(flatten)]
        fields: OpaqueFields<'a>,
    },
    /// A block as it came.
    #[serde(untagged)]
    Opaque(Cow<'a, Value>),
}

/// Whether a document is cited (anthropic-python, `types/citations_config_param.py`).
#[derive(Debug, Serialize)]
pub(in super::super) struct Citations {
    enabled: bool,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(in super::super) enum Source<'a> {
    Base64 {
        media_type: &'a str,
        data: &'a str,
    },
    Url {
        url: Cow<'a, str>,
    },
    /// A document of text.
    Text {
        media_type: &'a str,
        data: String,
    },
}

/// The fields of a block that are written from other parts. Opaque parts must not set them.
pub(super) const RESERVED: &[&str] = &[
    "type",
    "text",
    "thinking",
    "id",
    "name",
    "input",
    "source",
    "title",
    "tool_use_id",
    "content",
    "is_error",
];

impl<'a> Block<'a> {
    pub(super) fn of(kind: Kind<'a>) -> Self {
        Self {
            kind,
            cache_control: None,
        }
    }

    /// Takes what an opaque part says of this block, if it is of the same type.
    pub(super) fn take_fields(&mut self, opaque: &'a Opaque) {
        match (&mut self.kind, kind_of(&opaque.data)) {
            (Kind::Text { fields, .. }, TEXT) | (Kind::ToolUse { fields, .. }, TOOL_USE) => {
                *fields = OpaqueFields::of(opaque, RESERVED);
            }
            _ => {}
        }
    }

    /// Takes the fields that the block had in the list that it was read from.
    pub(super) fn take_imported(&mut self, imported: &'a Map<String, Value>) {
        if let Kind::Text { fields, .. }
        | Kind::Image { fields, .. }
        | Kind::Document { fields, .. } = &mut self.kind
        {
            *fields = OpaqueFields::new(Some(imported), RESERVED);
        }
    }

    /// Takes the white space at the end of a text away.
    pub(super) fn trim_end(&mut self) {
        if let Kind::Text { text, .. } = &mut self.kind {
            let len = text.trim_end().len();
            match text {
                Cow::Borrowed(text) => *text = &text[..len],
                Cow::Owned(text) => text.truncate(len),
            }
        }
    }

    pub(super) fn is_thinking(&self) -> bool {
        match &self.kind {
            Kind::Thinking { .. } => true,
            Kind::Opaque(data) => kind_of(data) == "redacted_thinking",
            _ => false,
        }
    }

    /// Reasoning may not be marked, and what came is left as it is.
    pub(super) fn may_be_marked(&self) -> bool {
        match &self.kind {
            Kind::Thinking { .. } | Kind::Opaque(_) => false,
            Kind::Text { fields, .. }
            | Kind::Image { fields, .. }
            | Kind::Document { fields, .. }
            | Kind::ToolUse { fields, .. }
            | Kind::ToolResult { fields, .. } => !fields.contains("cache_control"),
        }
    }
}

/// A block of a kind that no other part and no field of the request has. A conversation from elsewhere must not bring calls and
/// results past their parts.
pub(super) fn as_it_came(opaque: &Opaque) -> Option<Block<'_>> {
    let kind = kind_of(&opaque.data);
    let has_part = matches!(
        kind,
        "" | TEXT | THINKING | TOOL_USE | CONTAINER | "tool_result"
    );
    (!has_part).then(|| Block::of(Kind::Opaque(Cow::Borrowed(&opaque.data))))
}

pub(super) fn text(text: &str) -> Block<'_> {
    Block::of(Kind::Text {
        text: Cow::Borrowed(text),
        fields: OpaqueFields::default(),
    })
}

/// A text that stands for what the API does not take.
pub(super) fn told<'a>(words: String) -> Block<'a> {
    Block::of(Kind::Text {
        text: Cow::Owned(words),
        fields: OpaqueFields::default(),
    })
}

/// A text with a mark.
pub(in super::super) fn marked(words: &str, cache_control: Option<CacheControl>) -> Block<'_> {
    Block {
        cache_control,
        ..text(words)
    }
}

pub(super) fn image(image: &Image) -> Block<'_> {
    let source = match image {
        Image::Base64 { media_type, data } => Source::Base64 { media_type, data },
        _ => Source::Url {
            url: image.address(),
        },
    };
    Block::of(Kind::Image {
        source,
        fields: OpaqueFields::default(),
    })
}

/// A document as it is sent: PDF and text. Everything else is described in words.
pub(super) fn media(media: Media<'_>) -> Block<'_> {
    let source = match (media, media.data(), media.text()) {
        (Media::Document(_), Some(data), _) if media.media_type() == PDF => Source::Base64 {
            media_type: PDF,
            data,
        },
        (Media::Document(_), None, _) if media.media_type() == PDF => Source::Url {
            url: media.address(),
        },
        (_, _, Some(data)) if !data.trim().is_empty() => Source::Text {
            media_type: "text/plain",
            data,
        },
        _ => {
            return told(media.in_words());
        }
    };
    Block::of(Kind::Document {
        source,
        title: media.name(),
        citations: media.is_cited().then_some(Citations { enabled: true }),
        fields: OpaqueFields::default(),
    })
}

/// Returns true if the API takes a document or sound as such.
pub(in super::super) fn is_sent(file: Media<'_>) -> bool {
    !matches!(media(file).kind, Kind::Text { .. })
}
