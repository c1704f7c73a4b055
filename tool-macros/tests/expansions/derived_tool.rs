const _: () = {
    use other as __toolwright;
    use __toolwright::__private::FitsNot as _;
    pub struct __Body<__F: __toolwright::__private::Fuel>(
        __toolwright::__private::PhantomData<fn() -> (__F,)>,
    );
    #[automatically_derived]
    impl<__F: __toolwright::__private::Fuel> __toolwright::__private::Describe
    for __Body<__F> {
        const FACTS: __toolwright::__private::TypeFacts = __toolwright::__private::TypeFacts::object(
            &[
                <<__F as __toolwright::__private::Fuel>::Step<
                    String,
                > as __toolwright::__private::Describe>::FACTS,
            ],
        );
        const STEPS: __toolwright::__private::Steps = __toolwright::__private::Steps::of(
            "SearchDocs",
            &[
                <<__F as __toolwright::__private::Fuel>::Step<
                    String,
                > as __toolwright::__private::Describe>::FACTS,
            ],
            &[__toolwright::__private::Place::Field("query")],
            &[
                <<__F as __toolwright::__private::Fuel>::Step<
                    String,
                > as __toolwright::__private::Describe>::PATHS,
            ],
        );
        const KEYS: __toolwright::__private::Keys = __toolwright::__private::Keys {
            own: &["query"],
            sent: &["query"],
            flattened: &[],
            takes_rest: false,
        };
        const ENTRIES: __toolwright::__private::Option<
            __toolwright::__private::Entries,
        > = __toolwright::__private::Option::Some(__toolwright::__private::Entries {
            all: &[
                __toolwright::__private::Entry {
                    name: "query",
                    aliases: &[],
                    written: "",
                    facts: <<__F as __toolwright::__private::Fuel>::Step<
                        String,
                    > as __toolwright::__private::Describe>::FACTS,
                    may_be_left_out: false
                        || <<__F as __toolwright::__private::Fuel>::Step<
                            String,
                        > as __toolwright::__private::Describe>::MAY_BE_LEFT_OUT,
                },
            ],
            closed: false,
        });
        fn node() -> &'static __toolwright::__private::Node {
            const {
                &__toolwright::__private::Node {
                    named: __toolwright::__private::Option::Some(__toolwright::__private::Named {
                        short: "SearchDocs",
                        full: __toolwright::__private::type_name::<SearchDocs>,
                    }),
                    description: "Search the documentation, best first.",
                    kind: __toolwright::__private::Kind::Object {
                        properties: &[
                            __toolwright::__private::property::<
                                <__F as __toolwright::__private::Fuel>::Step<String>,
                            >("query", &[], "", false),
                        ],
                        closed: false,
                    },
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
    for __Body<__F>
    where
        <__F as __toolwright::__private::Fuel>::Step<
            String,
        >: __toolwright::__private::Ends,
    {}
    #[automatically_derived]
    impl __toolwright::__private::ToolInput for SearchDocs {
        type Body<__F: __toolwright::__private::Fuel> = __Body<__F>;
    }
    #[automatically_derived]
    impl __toolwright::__private::FlattenInput for SearchDocs {}
    #[automatically_derived]
    impl __toolwright::__private::StaticTool for SearchDocs {
        const NAME: &'static ::core::primitive::str = "search_docs";
        const DESCRIPTION: &'static ::core::primitive::str = "Search the documentation, best first.";
        const OUTPUT: __toolwright::__private::Option<__toolwright::__private::Link> = __toolwright::__private::link({
            use __toolwright::__private::NoSchema as _;
            __toolwright::__private::OutputOfStruct::<SearchDocs>::DESCRIBED
        });
        fn input() -> &'static __toolwright::__private::Node {
            __toolwright::__private::input_of::<SearchDocs>()
        }
        fn tool() -> __toolwright::__private::Arc<dyn __toolwright::__private::Tool> {
            static __DEFINITION: __toolwright::__private::LazyLock<
                __toolwright::__private::ToolDefinition,
            > = __toolwright::__private::LazyLock::new(
                __toolwright::__private::definition::<SearchDocs>,
            );
            __toolwright::__private::derived_tool::<SearchDocs>(&__DEFINITION)
        }
    }
    const _: () = __toolwright::__private::check_input::<SearchDocs>();
    const _: () = {
        use __toolwright::__private::NoResult as _;
        __toolwright::__private::check_no_result(
            __toolwright::__private::ResultOfStruct::<SearchDocs>::IS_RESULT,
        )
    };
    const _: () = __toolwright::__private::check_output({
        use __toolwright::__private::NoSchema as _;
        __toolwright::__private::OutputOfStruct::<SearchDocs>::DESCRIBED
    });
};
