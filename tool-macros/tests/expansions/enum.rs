const _: () = {
    #[allow(missing_debug_implementations)]
    pub struct __Body<__F: ::toolwright::__private::Fuel>(
        ::toolwright::__private::PhantomData<fn() -> (__F,)>,
    );
    #[automatically_derived]
    impl<__F: ::toolwright::__private::Fuel> ::toolwright::__private::Describe
    for __Body<__F> {
        const FACTS: ::toolwright::__private::Facts = ::toolwright::__private::Facts::choice(
            &["Celsius", "f"],
        );
        fn node() -> &'static ::toolwright::__private::Node {
            const {
                &::toolwright::__private::Node {
                    named: ::toolwright::__private::Option::Some(::toolwright::__private::Named {
                        short: "Unit",
                        full: ::toolwright::__private::type_name::<Unit>,
                    }),
                    description: "",
                    kind: ::toolwright::__private::Kind::Choice(
                        &[
                            ::toolwright::__private::Choice {
                                name: "Celsius",
                                aliases: &[],
                                description: "Degrees Celsius.",
                            },
                            ::toolwright::__private::Choice {
                                name: "f",
                                aliases: &[],
                                description: "",
                            },
                        ],
                    ),
                    is_constrained: <Self as ::toolwright::__private::Describe>::FACTS
                        .is_constrained(),
                }
            }
        }
    }
    #[automatically_derived]
    impl ::toolwright::__private::ToolInput for Unit {
        type Body<__F: ::toolwright::__private::Fuel> = __Body<__F>;
    }
};
