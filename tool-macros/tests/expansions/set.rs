const SET: Toolset = {
    use ::toolwright::__private as __toolwright;
    #[cfg(unix)]
    const _: () = __toolwright::check_tool_names(
        <other::second as __toolwright::Declared>::NAME,
        &[<first as __toolwright::Declared>::NAME],
    );
    __toolwright::Toolset::from_checked(
        ::core::convert::From::from([
            <first as __toolwright::Declared>::tool(),
            #[cfg(unix)]
            <other::second as __toolwright::Declared>::tool(),
        ]),
    )
};
