const _: () = {
    use ::toolwright as __toolwright;
    use __toolwright::__private::FitsNot as _;
    pub struct __Body<__F: __toolwright::__private::Fuel>(
        __toolwright::__private::PhantomData<fn() -> (__F,)>,
    );
    #[automatically_derived]
    impl<__F: __toolwright::__private::Fuel> __toolwright::__private::Describe
    for __Body<__F> {
        const FACTS: __toolwright::__private::TypeFacts = __toolwright::__private::TypeFacts::choice(
            &["Celsius", "f"],
        );
        fn node() -> &'static __toolwright::__private::Node {
            const {
                &__toolwright::__private::Node {
                    named: __toolwright::__private::Option::Some(__toolwright::__private::Named {
                        short: "Unit",
                        full: __toolwright::__private::type_name::<Unit>,
                    }),
                    description: "",
                    kind: __toolwright::__private::Kind::Choice(
                        &[
                            __toolwright::__private::Choice {
                                name: "Celsius",
                                aliases: &[],
                                description: "Degrees Celsius.",
                            },
                            __toolwright::__private::Choice {
                                name: "f",
                                aliases: &[],
                                description: "",
                            },
                        ],
                    ),
                    is_constrained: <Self as __toolwright::__private::Describe>::FACTS
                        .is_constrained(),
                    allows_unknown_keys: <Self as __toolwright::__private::Describe>::FACTS
                        .allows_unknown_keys(),
                }
            }
        }
    }
    #[automatically_derived]
    impl<__F: __toolwright::__private::Fuel> __toolwright::__private::Ends
    for __Body<__F> {}
    #[automatically_derived]
    impl __toolwright::__private::ToolInput for Unit {
        type Body<__F: __toolwright::__private::Fuel> = __Body<__F>;
    }
};
