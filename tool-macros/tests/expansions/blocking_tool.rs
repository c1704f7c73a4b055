#[cfg(unix)]
#[allow(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    clippy::unused_async
)]
fn now() {}
#[cfg(unix)]
#[doc(hidden)]
#[allow(non_camel_case_types, missing_debug_implementations, unreachable_pub)]
struct Now {}
#[cfg(unix)]
#[allow(deprecated)]
const _: () = {
    #[automatically_derived]
    impl other::__private::StaticTool for Now {
        const NAME: &'static ::core::primitive::str = "time";
        const DESCRIPTION: &'static ::core::primitive::str = other::__private::description(
            NOW,
        );
        fn input() -> &'static other::__private::Node {
            const {
                &other::__private::Node::arguments(
                    &[],
                    other::__private::Parameter::any_constrained(&[]),
                )
            }
        }
        fn tool() -> other::__private::Arc<dyn other::__private::Tool> {
            other::__private::Arc::new(Now {})
        }
    }
    #[automatically_derived]
    impl other::__private::Tool for Now {
        fn definition(&self) -> &other::__private::ToolDefinition {
            static __DEFINITION: other::__private::LazyLock<
                other::__private::ToolDefinition,
            > = other::__private::LazyLock::new(other::__private::definition::<Now>);
            &__DEFINITION
        }
        fn call<'__a>(
            &'__a self,
            __call: &'__a other::__private::ToolCall,
            __cx: &'__a other::__private::ToolContext,
        ) -> other::__private::Call<'__a> {
            other::__private::Call::blocking(
                __call,
                __cx,
                move |
                    __call: &other::__private::ToolCall,
                    __cx: &other::__private::ToolContext|
                {
                    #[allow(unused_imports)]
                    use other::__private::{
                        NoSlot as _, NotAResult as _, SlotFor as _, Unclassified as _,
                    };
                    let __rewritten = <other::__private::Rewritten as other::__private::Default>::default();
                    other::__private::decode_parameters(
                        __call,
                        &__rewritten,
                        <Self as other::__private::StaticTool>::input,
                        &[],
                        &mut (),
                    )?;
                    #[allow(clippy::let_unit_value)]
                    let __returned = now();
                    #[allow(clippy::let_unit_value)]
                    let __value = other::__private::Returned(__returned)
                        .outcome()
                        .classified()?;
                    #[allow(clippy::let_unit_value)]
                    let __value = other::__private::Returned(__value)
                        .outcome()
                        .classified()?;
                    other::__private::into_output(__value)
                },
            )
        }
    }
    const _: () = other::__private::check_description(
        other::__private::description(NOW),
    );
};
