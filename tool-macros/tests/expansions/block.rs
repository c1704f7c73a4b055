impl<D: Db> Shop<D> {
    /// Find products by name.
    #[allow(
        clippy::missing_const_for_fn,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        clippy::unused_async
    )]
    async fn find_products(&self, words: String) -> Vec<Product> {
        todo!()
    }
    #[cfg(unix)]
    #[allow(
        clippy::missing_const_for_fn,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        clippy::unused_async
    )]
    fn hours() {}
    fn other(&self) {}
}
#[allow(
    clippy::borrowed_box,
    clippy::box_collection,
    clippy::disallowed_types,
    clippy::implicit_hasher,
    clippy::linkedlist,
    clippy::option_option,
    clippy::owned_cow,
    clippy::ptr_arg,
    clippy::rc_buffer,
    clippy::rc_mutex,
    clippy::redundant_allocation,
    clippy::ref_option,
    clippy::type_complexity,
    clippy::vec_box,
    clippy::zero_sized_map_values
)]
const _: () = {
    use ::toolwright as __toolwright;
    #[automatically_derived]
    impl<D: Db> Shop<D> {
        /// The tools of this value, which they share.
        #[allow(clippy::too_many_lines)]
        pub fn into_tools(self) -> __toolwright::__private::Toolset {
            use __toolwright::__private::NotShared as _;
            let __state = __toolwright::__private::shared_state::<Shop<D>>(self);
            __toolwright::__private::Toolset::from_checked(
                ::core::convert::From::from([
                    {
                        const __PARAMETER_0: __toolwright::__private::Parameter = {
                            #[allow(clippy::extra_unused_lifetimes)]
                            const fn __described() -> __toolwright::__private::Parameter {
                                __toolwright::__private::parameter::<
                                    String,
                                    _,
                                >("words", "", false)
                            }
                            __described()
                        };
                        const _: () = __PARAMETER_0.check();
                        const _: () = __toolwright::__private::check_output({
                            #[allow(clippy::extra_unused_lifetimes)]
                            const fn __described() -> __toolwright::__private::Option<
                                __toolwright::__private::Described,
                            > {
                                {
                                    use __toolwright::__private::NoSchema as _;
                                    __toolwright::__private::OutputOf::<Vec<Product>>::DESCRIBED
                                }
                            }
                            __described()
                        });
                        fn __input() -> &'static __toolwright::__private::Node {
                            const {
                                &__toolwright::__private::Node::arguments(
                                    &[__PARAMETER_0.property],
                                    __toolwright::__private::Parameter::facts_of(
                                        &[__PARAMETER_0],
                                    ),
                                )
                            }
                        }
                        static __DEFINITION: __toolwright::__private::LazyLock<
                            __toolwright::__private::ToolDefinition,
                        > = __toolwright::__private::LazyLock::new(|| __toolwright::__private::definition_of(
                            "find_products",
                            "Find products by name.",
                            __toolwright::__private::Option::None,
                            __toolwright::__private::ToolHints::NONE,
                            __input,
                            __toolwright::__private::link({
                                #[allow(clippy::extra_unused_lifetimes)]
                                const fn __described() -> __toolwright::__private::Option<
                                    __toolwright::__private::Described,
                                > {
                                    {
                                        use __toolwright::__private::NoSchema as _;
                                        __toolwright::__private::OutputOf::<Vec<Product>>::DESCRIBED
                                    }
                                }
                                __described()
                            }),
                        ));
                        __state
                            .method(
                                &__DEFINITION,
                                const {
                                    __toolwright::__private::ToolPolicy::of(
                                        __toolwright::__private::ToolHints::NONE,
                                    )
                                },
                                || __toolwright::__private::Vec::new(),
                                |__state, __call, __cx| {
                                    __toolwright::__private::Work::<
                                        true,
                                    >::call(async move {
                                        use __toolwright::__private::{
                                            NoSlot as _, NotAResult as _, SlotFor as _,
                                            Unclassified as _,
                                        };
                                        let __rewritten = <__toolwright::__private::Rewritten as __toolwright::__private::Default>::default();
                                        let mut __slots = (
                                            __toolwright::__private::Probe::of(|_: String| {})
                                                .slot(__toolwright::__private::Option::None),
                                        );
                                        __toolwright::__private::decode_parameters(
                                            __call,
                                            &__rewritten,
                                            __input,
                                            &["words"],
                                            &mut __slots,
                                        )?;
                                        let __0 = __toolwright::__private::lend(&mut __slots.0);
                                        #[allow(clippy::let_unit_value)]
                                        let __returned = Self::find_products(&__state, __0).await;
                                        #[allow(clippy::let_unit_value)]
                                        let __value = __toolwright::__private::Returned(__returned)
                                            .outcome()
                                            .classified()?;
                                        #[allow(clippy::let_unit_value)]
                                        let __value = __toolwright::__private::Returned(__value)
                                            .outcome()
                                            .classified()?;
                                        __toolwright::__private::deliver(__value, __cx).await
                                    })
                                },
                            )
                    },
                    #[cfg(unix)]
                    {
                        const _: () = __toolwright::__private::check_description(
                            __toolwright::__private::description(HOURS),
                        );
                        fn __input() -> &'static __toolwright::__private::Node {
                            const {
                                &__toolwright::__private::Node::arguments(
                                    &[],
                                    __toolwright::__private::Parameter::facts_of(&[]),
                                )
                            }
                        }
                        static __DEFINITION: __toolwright::__private::LazyLock<
                            __toolwright::__private::ToolDefinition,
                        > = __toolwright::__private::LazyLock::new(|| __toolwright::__private::definition_of(
                            "hours",
                            __toolwright::__private::description(HOURS),
                            __toolwright::__private::Option::None,
                            __toolwright::__private::ToolHints::NONE,
                            __input,
                            __toolwright::__private::Option::None,
                        ));
                        __state
                            .method(
                                &__DEFINITION,
                                const {
                                    __toolwright::__private::ToolPolicy::of(
                                        __toolwright::__private::ToolHints::NONE,
                                    )
                                },
                                || __toolwright::__private::Vec::new(),
                                |__state, __call, __cx| {
                                    let _ = __state;
                                    __toolwright::__private::Call::blocking(
                                        __call,
                                        __cx,
                                        move |
                                            __call: &__toolwright::__private::ToolCall,
                                            __cx: &__toolwright::__private::ToolContext|
                                        {
                                            use __toolwright::__private::{
                                                NoSlot as _, NotAResult as _, SlotFor as _,
                                                Unclassified as _,
                                            };
                                            let __rewritten = <__toolwright::__private::Rewritten as __toolwright::__private::Default>::default();
                                            __toolwright::__private::decode_parameters(
                                                __call,
                                                &__rewritten,
                                                __input,
                                                &[],
                                                &mut (),
                                            )?;
                                            #[allow(clippy::let_unit_value)]
                                            let __returned = Self::hours();
                                            #[allow(clippy::let_unit_value)]
                                            let __value = __toolwright::__private::Returned(__returned)
                                                .outcome()
                                                .classified()?;
                                            #[allow(clippy::let_unit_value)]
                                            let __value = __toolwright::__private::Returned(__value)
                                                .outcome()
                                                .classified()?;
                                            __toolwright::__private::into_output(__value)
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
    const _: () = __toolwright::__private::check_tool_names("hours", &["find_products"]);
};
