const SET: Toolset = {
    use ::toolwright::__private as __toolwright;
    type __T0 = first;
    #[cfg(unix)]
    type __T1 = other::second;
    #[cfg(unix)]
    const _: () = __toolwright::check_tool_names(
        <__T1 as __toolwright::Declared>::NAME,
        &[<__T0 as __toolwright::Declared>::NAME],
    );
    __toolwright::Toolset::from_checked(
        ::core::convert::From::from([
            <__T0 as __toolwright::Declared>::tool(),
            #[cfg(unix)]
            <__T1 as __toolwright::Declared>::tool(),
        ]),
    )
};
