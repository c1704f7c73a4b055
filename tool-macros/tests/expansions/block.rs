impl<D: Db> Shop<D> {
    /// Find products by name.
    #[allow(
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        clippy::unused_async
    )]
    async fn find_products(&self, words: String) -> Vec<Product> {
        todo!()
    }
    #[cfg(unix)]
    #[allow(
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        clippy::unused_async
    )]
    fn hours() {}
    fn other(&self) {}
}
#[automatically_derived]
impl<D: Db> Shop<D> {
    /// The tools of this value, which they share.
    #[allow(deprecated, unreachable_pub, clippy::too_many_lines)]
    pub fn into_tools(self) -> ::toolwright::__private::Toolset {
        #[allow(unused_imports)]
        use ::toolwright::__private::NotShared as _;
        let __state = ::toolwright::__private::shared_state::<Shop<D>>(self);
        ::toolwright::__private::Toolset::from_checked(
            ::toolwright::__private::Vec::from([
                {
                    const __PARAMETER_0: ::toolwright::__private::Parameter = ::toolwright::__private::parameter::<
                        String,
                        _,
                    >("words", "", false);
                    const _: () = __PARAMETER_0.check();
                    const __OUTPUT: ::toolwright::__private::Option<
                        ::toolwright::__private::Link,
                    > = {
                        #[allow(unused_imports)]
                        use ::toolwright::__private::NoSchema as _;
                        ::toolwright::__private::output(
                            ::toolwright::__private::OutputOf::<Vec<Product>>::DESCRIBED,
                        )
                    };
                    fn __input() -> &'static ::toolwright::__private::Node {
                        const {
                            &::toolwright::__private::Node::arguments(
                                &[__PARAMETER_0.property],
                                ::toolwright::__private::Parameter::any_constrained(
                                    &[__PARAMETER_0],
                                ),
                            )
                        }
                    }
                    static __DEFINITION: ::toolwright::__private::LazyLock<
                        ::toolwright::__private::ToolDefinition,
                    > = ::toolwright::__private::LazyLock::new(|| ::toolwright::__private::definition_of(
                        "find_products",
                        "Find products by name.",
                        ::toolwright::__private::Option::None,
                        ::toolwright::__private::ToolHints::NONE,
                        __input,
                        __OUTPUT,
                    ));
                    __state
                        .method(
                            &__DEFINITION,
                            |__state, __call, __cx| {
                                ::toolwright::__private::Call::future(async move {
                                    #[allow(unused_imports)]
                                    use ::toolwright::__private::{
                                        NoSlot as _, NotAResult as _, SlotFor as _,
                                        Unclassified as _,
                                    };
                                    let __rewritten = <::toolwright::__private::Rewritten as ::toolwright::__private::Default>::default();
                                    let mut __slots = (
                                        ::toolwright::__private::Probe::<String>::NEW
                                            .slot(::toolwright::__private::Option::None),
                                    );
                                    ::toolwright::__private::decode_parameters(
                                        __call,
                                        &__rewritten,
                                        __input,
                                        &["words"],
                                        &mut __slots,
                                    )?;
                                    let __0 = ::toolwright::__private::lend(&mut __slots.0);
                                    #[allow(clippy::let_unit_value)]
                                    let __returned = Self::find_products(&__state, __0).await;
                                    #[allow(clippy::let_unit_value)]
                                    let __value = ::toolwright::__private::Returned(__returned)
                                        .outcome()
                                        .classified()?;
                                    #[allow(clippy::let_unit_value)]
                                    let __value = ::toolwright::__private::Returned(__value)
                                        .outcome()
                                        .classified()?;
                                    ::toolwright::__private::deliver(__value, __cx).await
                                })
                            },
                        )
                },
                #[cfg(unix)]
                {
                    const _: () = ::toolwright::__private::check_description(
                        ::toolwright::__private::description(HOURS),
                    );
                    fn __input() -> &'static ::toolwright::__private::Node {
                        const {
                            &::toolwright::__private::Node::arguments(
                                &[],
                                ::toolwright::__private::Parameter::any_constrained(&[]),
                            )
                        }
                    }
                    static __DEFINITION: ::toolwright::__private::LazyLock<
                        ::toolwright::__private::ToolDefinition,
                    > = ::toolwright::__private::LazyLock::new(|| ::toolwright::__private::definition_of(
                        "hours",
                        ::toolwright::__private::description(HOURS),
                        ::toolwright::__private::Option::None,
                        ::toolwright::__private::ToolHints::NONE,
                        __input,
                        ::toolwright::__private::Option::None,
                    ));
                    __state
                        .method(
                            &__DEFINITION,
                            |__state, __call, __cx| {
                                let _ = __state;
                                ::toolwright::__private::Call::blocking(
                                    __call,
                                    __cx,
                                    move |
                                        __call: &::toolwright::__private::ToolCall,
                                        __cx: &::toolwright::__private::ToolContext|
                                    {
                                        #[allow(unused_imports)]
                                        use ::toolwright::__private::{
                                            NoSlot as _, NotAResult as _, SlotFor as _,
                                            Unclassified as _,
                                        };
                                        let __rewritten = <::toolwright::__private::Rewritten as ::toolwright::__private::Default>::default();
                                        ::toolwright::__private::decode_parameters(
                                            __call,
                                            &__rewritten,
                                            __input,
                                            &[],
                                            &mut (),
                                        )?;
                                        #[allow(clippy::let_unit_value)]
                                        let __returned = Self::hours();
                                        #[allow(clippy::let_unit_value)]
                                        let __value = ::toolwright::__private::Returned(__returned)
                                            .outcome()
                                            .classified()?;
                                        #[allow(clippy::let_unit_value)]
                                        let __value = ::toolwright::__private::Returned(__value)
                                            .outcome()
                                            .classified()?;
                                        ::toolwright::__private::into_output(__value)
                                    },
                                )
                            },
                        )
                },
            ]),
        )
    }
}
#[cfg(unix)]
const _: () = ::toolwright::__private::check_tool_names("hours", &["find_products"]);
