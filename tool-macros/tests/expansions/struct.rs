const _: () = {
    #[allow(missing_debug_implementations)]
    pub struct __Body<
        T: ::toolwright::__private::ToolInput,
        __F: ::toolwright::__private::Fuel,
    >(
        ::toolwright::__private::PhantomData<fn() -> (__F, T)>,
    );
    #[automatically_derived]
    impl<
        T: ::toolwright::__private::ToolInput,
        __F: ::toolwright::__private::Fuel,
    > ::toolwright::__private::Describe for __Body<T, __F> {
        const FACTS: ::toolwright::__private::Facts = ::toolwright::__private::Facts::object(
            &[
                <<__F as ::toolwright::__private::Fuel>::Step<
                    Vec<T>,
                > as ::toolwright::__private::Describe>::FACTS,
                <<__F as ::toolwright::__private::Fuel>::Step<
                    u32,
                > as ::toolwright::__private::Describe>::FACTS,
            ],
        );
        const PATH: ::toolwright::__private::Option<
            &'static ::toolwright::__private::Path,
        > = ::toolwright::__private::path_step(
                "Page",
                &[
                    <<__F as ::toolwright::__private::Fuel>::Step<
                        Vec<T>,
                    > as ::toolwright::__private::Describe>::FACTS,
                    <<__F as ::toolwright::__private::Fuel>::Step<
                        u32,
                    > as ::toolwright::__private::Describe>::FACTS,
                ],
                &[
                    ::toolwright::__private::Place::Field("items"),
                    ::toolwright::__private::Place::Field("nextPage"),
                ],
                &[
                    <<__F as ::toolwright::__private::Fuel>::Step<
                        Vec<T>,
                    > as ::toolwright::__private::Describe>::PATH,
                    <<__F as ::toolwright::__private::Fuel>::Step<
                        u32,
                    > as ::toolwright::__private::Describe>::PATH,
                ],
            )
            .as_ref();
        const KEYS: ::toolwright::__private::Keys = ::toolwright::__private::Keys {
            own: &["items", "nextPage"],
            flattened: &[],
            takes_rest: false,
        };
        fn node() -> &'static ::toolwright::__private::Node {
            const {
                &::toolwright::__private::Node {
                    named: ::toolwright::__private::Option::Some(::toolwright::__private::Named {
                        short: "Page",
                        full: ::toolwright::__private::type_name::<Page<T>>,
                    }),
                    description: "A page of results.",
                    kind: ::toolwright::__private::Kind::Object {
                        properties: &[
                            ::toolwright::__private::property::<
                                <__F as ::toolwright::__private::Fuel>::Step<Vec<T>>,
                            >("items", &[], "What is on it.", false),
                            ::toolwright::__private::property::<
                                <__F as ::toolwright::__private::Fuel>::Step<u32>,
                            >("nextPage", &[], "", true),
                        ],
                        closed: false,
                    },
                    is_constrained: <Self as ::toolwright::__private::Describe>::FACTS
                        .is_constrained(),
                }
            }
        }
    }
    #[automatically_derived]
    impl<T: ::toolwright::__private::ToolInput> ::toolwright::__private::ToolInput
    for Page<T> {
        type Body<__F: ::toolwright::__private::Fuel> = __Body<T, __F>;
    }
    #[automatically_derived]
    impl<T: ::toolwright::__private::ToolInput> ::toolwright::__private::FlattenInput
    for Page<T> {}
};
