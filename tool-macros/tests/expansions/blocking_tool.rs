#[cfg(unix)]
#[allow(
    clippy::missing_const_for_fn,
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    clippy::unused_async
)]
fn now() {}
#[cfg(unix)]
#[doc(hidden)]
struct Now {}
#[cfg(unix)]
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
    use other as __toolwright;
    #[automatically_derived]
    impl __toolwright::__private::StaticTool for Now {
        const NAME: &'static ::core::primitive::str = "time";
        const DESCRIPTION: &'static ::core::primitive::str = __toolwright::__private::description(
            NOW,
        );
        fn input() -> &'static __toolwright::__private::Node {
            const {
                &__toolwright::__private::Node::arguments(
                    &[],
                    __toolwright::__private::Parameter::facts_of(&[]),
                )
            }
        }
        fn tool() -> __toolwright::__private::Arc<dyn __toolwright::__private::Tool> {
            __toolwright::__private::Arc::new(Self {})
        }
    }
    #[automatically_derived]
    impl __toolwright::__private::Tool for Now {
        fn definition(&self) -> &__toolwright::__private::ToolDefinition {
            static __DEFINITION: __toolwright::__private::LazyLock<
                __toolwright::__private::ToolDefinition,
            > = __toolwright::__private::LazyLock::new(
                __toolwright::__private::definition::<Now>,
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
                __toolwright::__private::decode_parameters(
                    __call,
                    &__rewritten,
                    <Now as __toolwright::__private::StaticTool>::input,
                    &[],
                    &mut (),
                )?;
                #[allow(clippy::let_unit_value)]
                let __returned = now();
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
    const _: () = __toolwright::__private::check_description(
        __toolwright::__private::description(NOW),
    );
};
