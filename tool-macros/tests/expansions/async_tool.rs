/// Get the current weather for a city.
#[allow(
    clippy::missing_const_for_fn,
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    clippy::unused_async
)]
pub async fn get_weather(
    city: String,
    days: u8,
    cx: &ToolContext,
) -> Result<Weather, ToolError> {
    todo!()
}
#[doc(hidden)]
pub struct get_weather {}
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
    const __PARAMETER_0: __toolwright::__private::Parameter = {
        #[allow(clippy::extra_unused_lifetimes)]
        const fn __described() -> __toolwright::__private::Parameter {
            __toolwright::__private::parameter::<
                String,
                _,
            >("city", "City and country.", false)
        }
        __described()
    };
    #[allow(clippy::extra_unused_lifetimes, clippy::unnecessary_wraps)]
    fn __default_1(_: &'static ()) -> u8 {
        5
    }
    const __PARAMETER_1: __toolwright::__private::Parameter = {
        #[allow(clippy::extra_unused_lifetimes)]
        const fn __described() -> __toolwright::__private::Parameter {
            __toolwright::__private::parameter::<u8, _>("days", "", true)
                .with_default(|| {
                    use __toolwright::__private::NotWritten as _;
                    __toolwright::__private::DefaultFn(|| __default_1(&())).json()
                })
        }
        __described()
    };
    #[automatically_derived]
    impl __toolwright::__private::StaticTool for get_weather {
        const NAME: &'static ::core::primitive::str = "get_weather";
        const DESCRIPTION: &'static ::core::primitive::str = "Get the current weather for a city.";
        const HINTS: __toolwright::__private::ToolHints = __toolwright::__private::ToolHints::NONE
            .with_idempotent(true);
        const POLICY: __toolwright::__private::ToolPolicy = __toolwright::__private::ToolPolicy::of(
                Self::HINTS,
            )
            .with_timeout(__toolwright::__private::Duration::from_millis(5000u64))
            .with_rate_limit(
                __toolwright::__private::RateLimit::per_minute(30u32)
                    .with_on_excess(__toolwright::__private::OnExcess::Fail),
            )
            .with_requires(
                __toolwright::__private::capabilities(
                    &[__toolwright::__private::Capabilities::NETWORK, PAYMENTS],
                ),
            )
            .with_approval();
        const OUTPUT: __toolwright::__private::Option<__toolwright::__private::Link> = __toolwright::__private::link({
            #[allow(clippy::extra_unused_lifetimes)]
            const fn __described() -> __toolwright::__private::Option<
                __toolwright::__private::Described,
            > {
                {
                    use __toolwright::__private::NoSchema as _;
                    __toolwright::__private::OutputOf::<
                        Result<Weather, ToolError>,
                    >::DESCRIBED
                }
            }
            __described()
        });
        fn input() -> &'static __toolwright::__private::Node {
            const {
                &__toolwright::__private::Node::arguments(
                    &[__PARAMETER_0.property, __PARAMETER_1.property],
                    __toolwright::__private::Parameter::facts_of(
                        &[__PARAMETER_0, __PARAMETER_1],
                    ),
                )
            }
        }
        fn tool() -> __toolwright::__private::Arc<dyn __toolwright::__private::Tool> {
            __toolwright::__private::Arc::new(Self {})
        }
    }
    #[automatically_derived]
    impl __toolwright::__private::Tool for get_weather {
        fn definition(&self) -> &__toolwright::__private::ToolDefinition {
            static __DEFINITION: __toolwright::__private::LazyLock<
                __toolwright::__private::ToolDefinition,
            > = __toolwright::__private::LazyLock::new(
                __toolwright::__private::definition::<get_weather>,
            );
            &__DEFINITION
        }
        fn policy(&self) -> __toolwright::__private::ToolPolicy {
            <Self as __toolwright::__private::StaticTool>::POLICY
        }
        fn call<'__a>(
            &'__a self,
            __call: &'__a __toolwright::__private::ToolCall,
            __cx: &'__a __toolwright::__private::ToolContext,
        ) -> __toolwright::__private::Call<'__a> {
            __work(__toolwright::__private::At {
                call: __call,
                cx: __cx,
            })
        }
    }
    #[allow(clippy::extra_unused_lifetimes, clippy::unnecessary_wraps)]
    fn __work(
        __at: __toolwright::__private::At<'_>,
    ) -> __toolwright::__private::Call<'_> {
        let __toolwright::__private::At { call: __call, cx: __cx } = __at;
        __toolwright::__private::Work::<
            true,
        >::call(async move {
            use __toolwright::__private::{
                NoSlot as _, NotAResult as _, SlotFor as _, Unclassified as _,
            };
            let __rewritten = <__toolwright::__private::Rewritten as __toolwright::__private::Default>::default();
            let mut __slots = (
                __toolwright::__private::Probe::of(|_: String| {})
                    .slot(__toolwright::__private::Option::None),
                __toolwright::__private::Probe::of(|_: u8| {})
                    .slot(__toolwright::__private::Option::Some(|| __default_1(&()))),
            );
            __toolwright::__private::decode_parameters(
                __call,
                &__rewritten,
                <get_weather as __toolwright::__private::StaticTool>::input,
                &["city", "days"],
                &mut __slots,
            )?;
            let __0 = __toolwright::__private::lend(&mut __slots.0);
            let __1 = __toolwright::__private::lend(&mut __slots.1);
            let __2: &ToolContext = __toolwright::__private::context_ref(__cx)?;
            #[allow(clippy::let_unit_value)]
            let __returned = get_weather(__0, __1, __2).await;
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
    }
    const _: () = __PARAMETER_0.check();
    const _: () = __PARAMETER_1.check();
    const _: () = __toolwright::__private::check_default(
        __PARAMETER_1.bare(),
        &[],
        __toolwright::__private::Option::Some(
            __toolwright::__private::Example::Number(
                __toolwright::__private::Number::Integer(5),
            ),
        ),
    );
    const _: () = __toolwright::__private::check_output({
        #[allow(clippy::extra_unused_lifetimes)]
        const fn __described() -> __toolwright::__private::Option<
            __toolwright::__private::Described,
        > {
            {
                use __toolwright::__private::NoSchema as _;
                __toolwright::__private::OutputOf::<
                    Result<Weather, ToolError>,
                >::DESCRIBED
            }
        }
        __described()
    });
};
