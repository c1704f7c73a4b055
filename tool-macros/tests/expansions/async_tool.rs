/// Get the current weather for a city.
#[allow(
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
#[allow(non_camel_case_types, missing_debug_implementations, unreachable_pub)]
pub struct get_weather {}
#[allow(deprecated)]
const _: () = {
    const __PARAMETER_0: ::toolwright::__private::Parameter = ::toolwright::__private::parameter::<
        String,
        _,
    >("city", "City and country.", false);
    const __PARAMETER_1: ::toolwright::__private::Parameter = ::toolwright::__private::parameter::<
        u8,
        _,
    >("days", "", true);
    const __OUTPUT: ::toolwright::__private::Option<::toolwright::__private::Link> = {
        #[allow(unused_imports)]
        use ::toolwright::__private::NoSchema as _;
        ::toolwright::__private::output(
            ::toolwright::__private::OutputOf::<Result<Weather, ToolError>>::DESCRIBED,
        )
    };
    #[automatically_derived]
    impl ::toolwright::__private::StaticTool for get_weather {
        const NAME: &'static ::core::primitive::str = "get_weather";
        const DESCRIPTION: &'static ::core::primitive::str = "Get the current weather for a city.";
        const OUTPUT: ::toolwright::__private::Option<::toolwright::__private::Link> = __OUTPUT;
        fn input() -> &'static ::toolwright::__private::Node {
            const {
                &::toolwright::__private::Node::arguments(
                    &[__PARAMETER_0.property, __PARAMETER_1.property],
                    ::toolwright::__private::Parameter::any_constrained(
                        &[__PARAMETER_0, __PARAMETER_1],
                    ),
                )
            }
        }
        fn tool() -> ::toolwright::__private::Arc<dyn ::toolwright::__private::Tool> {
            ::toolwright::__private::Arc::new(get_weather {})
        }
    }
    #[automatically_derived]
    impl ::toolwright::__private::Tool for get_weather {
        fn definition(&self) -> &::toolwright::__private::ToolDefinition {
            static __DEFINITION: ::toolwright::__private::LazyLock<
                ::toolwright::__private::ToolDefinition,
            > = ::toolwright::__private::LazyLock::new(
                ::toolwright::__private::definition::<get_weather>,
            );
            &__DEFINITION
        }
        fn call<'__a>(
            &'__a self,
            __call: &'__a ::toolwright::__private::ToolCall,
            __cx: &'__a ::toolwright::__private::ToolContext,
        ) -> ::toolwright::__private::Call<'__a> {
            ::toolwright::__private::Call::future(async move {
                #[allow(unused_imports)]
                use ::toolwright::__private::{
                    NoSlot as _, NotAResult as _, SlotFor as _, Unclassified as _,
                };
                let __rewritten = <::toolwright::__private::Rewritten as ::toolwright::__private::Default>::default();
                let mut __slots = (
                    ::toolwright::__private::Probe::<String>::NEW
                        .slot(::toolwright::__private::Option::None),
                    ::toolwright::__private::Probe::<u8>::NEW
                        .slot(::toolwright::__private::Option::Some(|| -> u8 { 5 })),
                );
                ::toolwright::__private::decode_parameters(
                    __call,
                    &__rewritten,
                    <Self as ::toolwright::__private::StaticTool>::input,
                    &["city", "days"],
                    &mut __slots,
                )?;
                let __0 = ::toolwright::__private::lend(&mut __slots.0);
                let __1 = ::toolwright::__private::lend(&mut __slots.1);
                let __2 = ::toolwright::__private::context::<&ToolContext>(__cx)?;
                #[allow(clippy::let_unit_value)]
                let __returned = get_weather(__0, __1, __2).await;
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
        }
    }
    const _: () = __PARAMETER_0.check();
    const _: () = __PARAMETER_1.check();
};
