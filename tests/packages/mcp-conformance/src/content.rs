//! Prompts and resources.

use serde::Deserialize;
use serde_json::json;
use toolwright::{
    ToolContext, ToolInput, ToolOutput,
    mcp::{Elicit, Prompt, Resource, ResourceUpdates, Service, ServiceError},
    message::{Document, Image},
};

use crate::tools::PIXEL;

#[derive(Deserialize, ToolInput)]
struct Arguments {
    /// First test argument
    arg1: String,
    /// Second test argument
    arg2: String,
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "camelCase")]
struct Address {
    /// Which resource is embedded
    resource_uri: String,
}

#[derive(Deserialize, ToolInput)]
struct Context {
    context: String,
}

#[derive(Deserialize, ToolInput)]
struct Data {
    /// Which data
    id: String,
}

pub(crate) fn add(service: Service) -> Result<Service, ServiceError> {
    let described = |name, text| Prompt::new(name).description(text);
    let static_text = Resource::new("test://static-text").name("Static text");
    let static_binary = Resource::new("test://static-binary").name("Static binary");
    let data = Resource::new("test://template/{id}/data").name("Data");
    service
        .resource_updates(&ResourceUpdates::new())
        .resource("test://watched-resource", async |(), _| {
            Ok("It does not change.")
        })?
        .prompt(
            described("test_simple_prompt", "A simple prompt"),
            async |(), _| Ok("This is a simple prompt for testing."),
        )?
        .prompt(
            described("test_prompt_with_arguments", "A prompt with arguments"),
            async |Arguments { arg1, arg2 }, _| {
                Ok(format!(
                    "Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"
                ))
            },
        )?
        .prompt(
            described(
                "test_prompt_with_embedded_resource",
                "A prompt with a resource",
            ),
            async |Address { resource_uri }, _| {
                let content = format!("The content of {resource_uri}");
                let resource = Document::from_bytes("text/plain", content);
                Ok(ToolOutput::text("Please process the embedded resource.")
                    .with_document(resource))
            },
        )?
        .prompt(
            described("test_prompt_with_image", "A prompt with an image"),
            async |(), _| {
                let image = Image::from_base64("image/png", PIXEL);
                Ok(ToolOutput::text("Please analyze the image.").with_image(image))
            },
        )?
        .prompt(
            described(
                "test_input_required_result_prompt",
                "A prompt that asks for its context",
            ),
            async |(), cx: ToolContext| {
                let ask = Elicit::<Context>::of(&cx);
                let asked = ask.form("What context should the prompt use?").await?;
                let context = asked.accepted().map(|it| it.context);
                Ok(format!("The context is {context:?}"))
            },
        )?
        .resource(static_text, async |(), _| {
            Ok("This is the content of the static text resource.")
        })?
        .resource(static_binary.media_type("image/png"), async |(), _| {
            Ok(Image::from_base64("image/png", PIXEL))
        })?
        .resource(
            data.media_type("application/json"),
            async |Data { id }, _| {
                Ok(json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")}))
            },
        )
}
