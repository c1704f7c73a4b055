const _: () = {
    #[allow(missing_debug_implementations)]
    pub struct __Body<__F: other::__private::Fuel>(
        other::__private::PhantomData<fn() -> (__F,)>,
    );
    #[automatically_derived]
    impl<__F: other::__private::Fuel> other::__private::Describe for __Body<__F> {
        const FACTS: other::__private::Facts = other::__private::Facts::object(
            &[
                <<__F as other::__private::Fuel>::Step<
                    String,
                > as other::__private::Describe>::FACTS,
            ],
        );
        const PATH: other::__private::Option<&'static other::__private::Path> = other::__private::path_step(
                "SearchDocs",
                &[
                    <<__F as other::__private::Fuel>::Step<
                        String,
                    > as other::__private::Describe>::FACTS,
                ],
                &[other::__private::Place::Field("query")],
                &[
                    <<__F as other::__private::Fuel>::Step<
                        String,
                    > as other::__private::Describe>::PATH,
                ],
            )
            .as_ref();
        const KEYS: other::__private::Keys = other::__private::Keys {
            own: &["query"],
            flattened: &[],
            takes_rest: false,
        };
        fn node() -> &'static other::__private::Node {
            const {
                &other::__private::Node {
                    named: other::__private::Option::Some(other::__private::Named {
                        short: "SearchDocs",
                        full: other::__private::type_name::<SearchDocs>,
                    }),
                    description: "Search the documentation, best first.",
                    kind: other::__private::Kind::Object {
                        properties: &[
                            other::__private::property::<
                                <__F as other::__private::Fuel>::Step<String>,
                            >("query", &[], "", false),
                        ],
                        closed: false,
                    },
                    is_constrained: <Self as other::__private::Describe>::FACTS
                        .is_constrained(),
                }
            }
        }
    }
    #[automatically_derived]
    impl other::__private::ToolInput for SearchDocs {
        type Body<__F: other::__private::Fuel> = __Body<__F>;
    }
    #[automatically_derived]
    impl other::__private::FlattenInput for SearchDocs {}
};
#[allow(deprecated)]
const _: () = {
    const __OUTPUT: other::__private::Option<other::__private::Link> = {
        #[allow(unused_imports)]
        use other::__private::NoSchema as _;
        other::__private::output(
            other::__private::OutputOfStruct::<SearchDocs>::DESCRIBED,
        )
    };
    #[automatically_derived]
    impl other::__private::StaticTool for SearchDocs {
        const NAME: &'static ::core::primitive::str = "search_docs";
        const DESCRIPTION: &'static ::core::primitive::str = "Search the documentation, best first.";
        const OUTPUT: other::__private::Option<other::__private::Link> = __OUTPUT;
        fn input() -> &'static other::__private::Node {
            other::__private::input_of::<SearchDocs>()
        }
        fn tool() -> other::__private::Arc<dyn other::__private::Tool> {
            static __DEFINITION: other::__private::LazyLock<
                other::__private::ToolDefinition,
            > = other::__private::LazyLock::new(
                other::__private::definition::<SearchDocs>,
            );
            other::__private::derived_tool::<SearchDocs>(&__DEFINITION)
        }
    }
    const _: () = other::__private::check_input::<SearchDocs>();
};
