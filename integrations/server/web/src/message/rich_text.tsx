// Text of a model, which is usually Markdown. Its HTML is text, and its images are links: the page asks no other host
// for anything.

import Markdown, { type MarkdownToJSX } from "markdown-to-jsx/react";
import { memo, type AnchorHTMLAttributes, type HTMLAttributes, type ImgHTMLAttributes } from "react";

import { highlighted } from "./highlight.tsx";
import { isLink } from "./links.ts";

function Link({ children, href, title }: AnchorHTMLAttributes<HTMLAnchorElement>) {
  if (!isLink(href)) return <>{children}</>;
  return (
    <a href={href} title={title} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

function ImageLink({ src, alt }: ImgHTMLAttributes<HTMLImageElement>) {
  return <Link href={src}>{alt || src}</Link>;
}

/** A block of code names its language; code in a line does not. */
function Code({ className, children }: HTMLAttributes<HTMLElement>) {
  const isBlock = className !== undefined && typeof children === "string";
  return <code>{isBlock ? highlighted(children) : children}</code>;
}

/** Headings of the text are below those of the page. */
const OPTIONS: MarkdownToJSX.Options = {
  disableParsingRawHTML: true,
  forceBlock: true,
  overrides: {
    a: Link,
    img: ImageLink,
    code: Code,
    h1: "h4",
    h2: "h4",
    h3: "h4",
    h4: "h5",
    pre: { props: { tabIndex: 0 } },
    iframe: () => null,
  },
};

export const RichText = memo(function RichText({ text, isLive }: { text: string; isLive: boolean }) {
  return (
    <div className="prose">
      <Markdown options={{ ...OPTIONS, optimizeForStreaming: isLive }}>{text}</Markdown>
    </div>
  );
});
