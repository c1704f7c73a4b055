#[allow(
    clippy::missing_const_for_fn,
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    clippy::unused_async
)]
fn get_weather(city: String) -> String {
    city
}
const _: () = {
    ::core::compile_error! {
        "unknown key `nam`, did you mean `name`? `#[tool]` on a function knows `name`, `description`, `title`, `read_only`, `idempotent`, `destructive`, `open_world`, `timeout`, `retries`, `rate_limit`, `requires`, `approval`, `sequential`, `max_output`, `polls`, `ends_run`, `deferred`, `spawn`, `inline`, `strict`, `max_depth`, `type`, `crate`"
    }
    ::core::compile_error! {
        "a tool needs a description: tell the model what the tool does and when to call it, in a `///` comment above it"
    }
};
#[doc(hidden)]
struct get_weather {}
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
            __toolwright::__private::parameter::<String, _>("city", "", false)
        }
        __described()
    };
    #[automatically_derived]
    impl __toolwright::__private::StaticTool for get_weather {
        const NAME: &'static ::core::primitive::str = "get_weather";
        const DESCRIPTION: &'static ::core::primitive::str = "";
        const OUTPUT: __toolwright::__private::Option<__toolwright::__private::Link> = __toolwright::__private::link({
            #[allow(clippy::extra_unused_lifetimes)]
            const fn __described() -> __toolwright::__private::Option<
                __toolwright::__private::Described,
            > {
                {
                    use __toolwright::__private::NoSchema as _;
                    __toolwright::__private::OutputOf::<String>::DESCRIBED
                }
            }
            __described()
        });
        fn input() -> &'static __toolwright::__private::Node {
            const {
                &__toolwright::__private::Node::arguments(
                    &[__PARAMETER_0.property],
                    __toolwright::__private::Parameter::facts_of(&[__PARAMETER_0]),
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
        __toolwright::__private::Call::blocking(
            __call,
            __cx,
            move |
                __call: &__toolwright::__private::ToolCall,
                __cx: &__toolwright::__private::ToolContext|
            {
                use __toolwright::__private::{
                    NoSlot as _, NotAResult as _, SlotFor as _, Unclassified as _,
                };
                let __rewritten = <__toolwright::__private::Rewritten as __toolwright::__private::Default>::default();
                let mut __slots = (
                    __toolwright::__private::Probe::of(|_: String| {})
                        .slot(__toolwright::__private::Option::None),
                );
                __toolwright::__private::decode_parameters(
                    __call,
                    &__rewritten,
                    <get_weather as __toolwright::__private::StaticTool>::input,
                    &["city"],
                    &mut __slots,
                )?;
                let __0 = __toolwright::__private::lend(&mut __slots.0);
                #[allow(clippy::let_unit_value)]
                let __returned = get_weather(__0);
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
    }
    const _: () = __PARAMETER_0.check();
    const _: () = __toolwright::__private::check_output({
        #[allow(clippy::extra_unused_lifetimes)]
        const fn __described() -> __toolwright::__private::Option<
            __toolwright::__private::Described,
        > {
            {
                use __toolwright::__private::NoSchema as _;
                __toolwright::__private::OutputOf::<String>::DESCRIBED
            }
        }
        __described()
    });
};
