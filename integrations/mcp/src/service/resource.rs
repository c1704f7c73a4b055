//! Resources.

use std::{future::Future, ops::ControlFlow};

use rmcp::{
    ErrorData, RoleServer,
    model::{
        self, ListResourceTemplatesResult, ListResourcesResult, PaginatedRequestParams,
        ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResourceTemplate,
    },
    service::RequestContext,
};
use serde_json::Value;
use toolwright_core::{ToolContext, ToolError, schema::Property, tool::IntoToolOutput};

use super::{
    Served, Service, ServiceError,
    answer::Answer,
    asking, content,
    fields::{self, Fields},
    meta, page,
    template::Template,
};

/// What a client shows of a resource. An address alone is one.
///
/// ```
/// use toolwright::mcp::Resource;
///
/// let pages = Resource::new("docs://{page}")
///     .name("manual")
///     .description("The pages of the manual.")
///     .media_type("text/markdown");
/// ```
#[derive(Debug, Clone)]
#[must_use = "it is given to `Service::resource`"]
pub struct Resource(model::Resource);

impl Resource {
    /// A resource at an address, or resources at the addresses of a template with variables (RFC 6570, level 1):
    /// `docs://{page}`. Its name is the address, until it gets another.
    pub fn new(address: impl Into<String>) -> Self {
        let address = address.into();
        Self(model::Resource::new(address.clone(), address))
    }

    /// Sets the name, for programs.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.0.name = name.into();
        self
    }

    /// Sets the title, for people.
    pub fn title(self, title: impl Into<String>) -> Self {
        Self(self.0.with_title(title))
    }

    /// Sets the description, for people and models.
    pub fn description(self, text: impl Into<String>) -> Self {
        Self(self.0.with_description(text))
    }

    /// Sets the media type of its text, such as `text/markdown`; `text/plain` by default. Images, sound and documents have
    /// their own.
    pub fn media_type(self, media_type: impl Into<String>) -> Self {
        Self(self.0.with_mime_type(media_type))
    }

    /// Adds to the `_meta` of the resource, which is passed on as it is, in lists and with its contents. A page of MCP Apps
    /// (`ui://…`) has its settings there.
    pub fn meta<K: Into<String>>(mut self, entries: impl IntoIterator<Item = (K, Value)>) -> Self {
        meta::extend(&mut self.0.meta, entries);
        self
    }
}

impl<A: Into<String>> From<A> for Resource {
    fn from(address: A) -> Self {
        Self::new(address)
    }
}

/// Resources of a service.
#[derive(Debug, Clone)]
pub(crate) struct ServedResource {
    shown: model::Resource,
    template: Template,
    pub(crate) fields: Vec<&'static Property>,
    answer: Answer,
}

impl Service {
    /// Serves a resource: what a client reads by its address. The variables of a template are the fields of the type that
    /// the closure takes; an address without variables takes `()`. A client chooses the values: check them before they become
    /// part of a path or a statement.
    ///
    /// The closure returns what a tool returns: text, a value as JSON, an image, a
    /// [`Document`](toolwright_core::message::Document) of any bytes. Several parts are several contents. It is an error if
    /// nothing is there: [`ToolError::not_found`].
    ///
    /// ```
    /// use toolwright::{ToolError, ToolInput, Toolset, mcp::{self, Resource}};
    ///
    /// #[derive(serde::Deserialize, ToolInput)]
    /// struct Page {
    ///     /// The name of the page.
    ///     page: String,
    /// }
    ///
    /// let service = mcp::Service::new(Toolset::new())
    ///     .resource("docs://contents", async |(), _cx| Ok("intro, usage"))?
    ///     .resource("docs://{page}", async |page: Page, _cx| match &*page.page {
    ///         "intro" => Ok("It begins."),
    ///         other => Err(ToolError::not_found(format!("no page is called `{other}`"))),
    ///     })?;
    /// # Ok::<(), mcp::ServiceError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is a resource at the address already, the template is none of level 1, or its variables are not the fields
    /// of the type: each has a field, and each field without a default has a variable.
    pub fn resource<T, R, F>(
        self,
        resource: impl Into<Resource>,
        answer: impl Fn(T, ToolContext) -> F + Send + Sync + 'static,
    ) -> Result<Self, ServiceError>
    where
        T: Fields,
        R: IntoToolOutput,
        F: Future<Output = Result<R, ToolError>> + Send + 'static,
    {
        let Resource(shown) = resource.into();
        let refused = |why| ServiceError::offer(&shown.uri, why);
        let template = Template::new(&shown.uri).map_err(refused)?;
        let fields = fields::of::<T>();
        let fields = fields
            .ok_or_else(|| refused("what its closure takes is no struct with named fields"))?;
        let has_field = |name: &str| fields.iter().any(|field| field.name == name);
        let has_variable = |field: &Property| template.variables().any(|it| it == field.name);
        let are_variables = fields
            .iter()
            .all(|field| !field.is_required() || has_variable(field));
        if !template.variables().all(has_field) || !are_variables {
            return Err(refused(
                "its variables are not the fields of what its closure takes",
            ));
        }
        if (self.served.resources.iter()).any(|other| other.shown.uri == shown.uri) {
            return Err(refused("there is a resource at this address already"));
        }
        let answer = Answer::new(answer);
        let resource = ServedResource {
            shown,
            template,
            fields,
            answer,
        };
        Ok(self.with(|served| served.resources.push(resource)))
    }
}

impl ServedResource {
    fn is_template(&self) -> bool {
        self.template.variables().next().is_some()
    }

    fn as_template(&self) -> ResourceTemplate {
        let shown = self.shown.clone();
        let mut template = ResourceTemplate::new(shown.uri, shown.name);
        template.title = shown.title;
        template.description = shown.description;
        template.mime_type = shown.mime_type;
        template.meta = shown.meta;
        template
    }
}

impl Served {
    /// The resources of a template.
    pub(crate) fn template(&self, address: &str) -> Option<&ServedResource> {
        let mut templates = self.resources.iter().filter(|it| it.is_template());
        templates.find(|template| template.shown.uri == address)
    }

    pub(crate) fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let all = self.resources.iter().filter(|it| !it.is_template());
        let all: Vec<_> = all.collect();
        let page = page::of(&all, self.page, request, |it| &it.shown.uri)?;
        let shown = page.items.iter().map(|resource| resource.shown.clone());
        let mut list = ListResourcesResult::with_all_items(shown.collect());
        list.next_cursor = page.next;
        Ok(list.with_ttl_ms(self.fresh_ms()))
    }

    pub(crate) fn list_templates(
        &self,
        request: Option<PaginatedRequestParams>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let all = self.resources.iter().filter(|it| it.is_template());
        let all: Vec<_> = all.collect();
        let page = page::of(&all, self.page, request, |it| &it.shown.uri)?;
        let shown = page.items.iter().map(|resource| resource.as_template());
        let mut list = ListResourceTemplatesResult::with_all_items(shown.collect());
        list.next_cursor = page.next;
        Ok(list.with_ttl_ms(self.fresh_ms()))
    }

    /// True if a resource has the address.
    pub(crate) fn has_resource(&self, address: &str) -> bool {
        let mut resources = self.resources.iter();
        resources.any(|resource| resource.template.read(address).is_some())
    }

    /// Reads a resource. An address of its own comes before those of a template, and of these the first.
    pub(crate) async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let own = self.resources.iter().filter(|it| !it.is_template());
        let templates = self.resources.iter().filter(|it| it.is_template());
        let read = |it: &'_ ServedResource| it.template.read(&uri).map(|values| to_json(&values));
        let found = own
            .chain(templates)
            .find_map(|resource| Some((resource, read(resource)?)));
        let Some((resource, arguments)) = found else {
            return Err(unknown(&uri));
        };
        let asked = asking::Request {
            call: ["resource", &uri, ""],
            state: request.request_state.as_deref(),
            answers: request.input_responses.as_ref(),
        };
        let (answer, name) = (&resource.answer, &resource.shown.name);
        let output = answer.run(self, name, &arguments, &asked, context).await?;
        let output = match output {
            ControlFlow::Break(asked) => return Ok(asked.into()),
            ControlFlow::Continue(output) => output,
        };
        let contents = output.parts.iter().map(|part| {
            let contents = content::contents(part, &uri, resource.shown.mime_type.as_deref());
            match &resource.shown.meta {
                Some(meta) => contents.with_meta(meta.clone()),
                None => contents,
            }
        });
        Ok(ReadResourceResult::new(contents.collect()).into())
    }
}

pub(crate) fn unknown(address: &str) -> ErrorData {
    let unknown = format!("Resource not found: {address}");
    ErrorData::resource_not_found(unknown, Some(serde_json::json!({"uri": address})))
}

fn to_json(values: &[(&str, String)]) -> String {
    let values = values.iter();
    let values = values.map(|(name, value)| ((*name).to_owned(), Value::from(&**value)));
    fields::to_json(&values.collect())
}
