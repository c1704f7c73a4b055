#[allow(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    clippy::unused_async
)]
fn get_weather(city: String) -> String {
    city
}
::core::compile_error! {
    "unknown key `nam`, did you mean `name`? `#[tool]` on a function knows `name`, `description`, `title`, `read_only`, `idempotent`, `destructive`, `open_world`, `timeout`, `retries`, `rate_limit`, `requires`, `approval`, `sequential`, `max_output`, `polls`, `spawn`, `inline`, `strict`, `max_depth`, `type`, `crate`"
}
::core::compile_error! {
    "a tool needs a description: tell the model what the tool does and when to call it, in a `///` comment above it"
}
#[doc(hidden)]
#[allow(non_camel_case_types, missing_debug_implementations, unreachable_pub)]
struct get_weather {}
#[allow(unused_qualifications)]
const _: () = {
    use ::toolwright as __toolwright;
    #[allow(unused_qualifications)]
    const _: () = {
        use ::toolwright as __toolwright;
        const __PARAMETER_0: __toolwright::__private::Parameter = __toolwright::__private::parameter::<
            String,
            _,
        >("city", "", false);
        const _: () = __PARAMETER_0.check();
    };
    #[automatically_derived]
    impl __toolwright::__private::StaticTool for get_weather {
        const NAME: &'static ::core::primitive::str = "get_weather";
        const DESCRIPTION: &'static ::core::primitive::str = "";
        fn input() -> &'static __toolwright::__private::Node {
            ::core::unreachable!()
        }
        fn tool() -> __toolwright::__private::Arc<dyn __toolwright::__private::Tool> {
            ::core::unreachable!()
        }
    }
};
