const _: () = {
    use ::toolwright as __toolwright;
    use __toolwright::__private::FitsNot as _;
    pub struct __Body<
        T: __toolwright::__private::ToolInput,
        __F: __toolwright::__private::Fuel,
    >(
        __toolwright::__private::PhantomData<fn() -> (__F, T)>,
    );
    #[automatically_derived]
    impl<
        T: __toolwright::__private::ToolInput,
        __F: __toolwright::__private::Fuel,
    > __toolwright::__private::Describe for __Body<T, __F> {
        const FACTS: __toolwright::__private::TypeFacts = __toolwright::__private::TypeFacts::object(
            &[
                <<__F as __toolwright::__private::Fuel>::Step<
                    Vec<T>,
                > as __toolwright::__private::Describe>::FACTS,
                <<__F as __toolwright::__private::Fuel>::Step<
                    u32,
                > as __toolwright::__private::Describe>::FACTS,
            ],
        );
        const STEPS: __toolwright::__private::Steps = __toolwright::__private::Steps::of(
            "Page",
            &[
                <<__F as __toolwright::__private::Fuel>::Step<
                    Vec<T>,
                > as __toolwright::__private::Describe>::FACTS,
                <<__F as __toolwright::__private::Fuel>::Step<
                    u32,
                > as __toolwright::__private::Describe>::FACTS,
            ],
            &[
                __toolwright::__private::Place::Field("items"),
                __toolwright::__private::Place::Field("nextPage"),
            ],
            &[
                <<__F as __toolwright::__private::Fuel>::Step<
                    Vec<T>,
                > as __toolwright::__private::Describe>::PATHS,
                <<__F as __toolwright::__private::Fuel>::Step<
                    u32,
                > as __toolwright::__private::Describe>::PATHS,
            ],
        );
        const KEYS: __toolwright::__private::Keys = __toolwright::__private::Keys {
            own: &["items", "nextPage"],
            sent: &["items", "nextPage"],
            flattened: &[],
            takes_rest: false,
        };
        const ENTRIES: __toolwright::__private::Option<
            __toolwright::__private::Entries,
        > = __toolwright::__private::Option::Some(__toolwright::__private::Entries {
            all: &[
                __toolwright::__private::Entry {
                    name: "items",
                    aliases: &[],
                    written: "",
                    facts: <<__F as __toolwright::__private::Fuel>::Step<
                        Vec<T>,
                    > as __toolwright::__private::Describe>::FACTS,
                    may_be_left_out: false
                        || <<__F as __toolwright::__private::Fuel>::Step<
                            Vec<T>,
                        > as __toolwright::__private::Describe>::MAY_BE_LEFT_OUT,
                },
                __toolwright::__private::Entry {
                    name: "nextPage",
                    aliases: &[],
                    written: "",
                    facts: <<__F as __toolwright::__private::Fuel>::Step<
                        u32,
                    > as __toolwright::__private::Describe>::FACTS,
                    may_be_left_out: true
                        || <<__F as __toolwright::__private::Fuel>::Step<
                            u32,
                        > as __toolwright::__private::Describe>::MAY_BE_LEFT_OUT,
                },
            ],
            closed: false,
        });
        fn node() -> &'static __toolwright::__private::Node {
            const {
                &__toolwright::__private::Node {
                    named: __toolwright::__private::Option::Some(__toolwright::__private::Named {
                        short: "Page",
                        full: __toolwright::__private::type_name::<Page<T>>,
                    }),
                    description: "A page of results.",
                    kind: __toolwright::__private::Kind::Object {
                        properties: &[
                            __toolwright::__private::property::<
                                <__F as __toolwright::__private::Fuel>::Step<Vec<T>>,
                            >("items", &[], "What is on it.", false),
                            __toolwright::__private::property::<
                                <__F as __toolwright::__private::Fuel>::Step<u32>,
                            >("nextPage", &[], "", true)
                                .with_default(|| {
                                    use __toolwright::__private::NotWritten as _;
                                    __toolwright::__private::DefaultOf::<u32>::NEW.json()
                                }),
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
    impl<
        T: __toolwright::__private::ToolInput,
        __F: __toolwright::__private::Fuel,
    > __toolwright::__private::Ends for __Body<T, __F>
    where
        <__F as __toolwright::__private::Fuel>::Step<
            Vec<T>,
        >: __toolwright::__private::Ends,
        <__F as __toolwright::__private::Fuel>::Step<u32>: __toolwright::__private::Ends,
    {}
    #[automatically_derived]
    impl<T: __toolwright::__private::ToolInput> __toolwright::__private::ToolInput
    for Page<T> {
        type Body<__F: __toolwright::__private::Fuel> = __Body<T, __F>;
    }
    #[automatically_derived]
    impl<T: __toolwright::__private::ToolInput> __toolwright::__private::FlattenInput
    for Page<T> {}
};
