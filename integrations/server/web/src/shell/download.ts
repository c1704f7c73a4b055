// Files that are saved.

import type { MouseEvent } from "react";

import { send } from "../api/request.ts";
import { tokenOf } from "../api/token.ts";

/** A link carries no token: the file is fetched with it, and saved from here. */
export const downloadSignedIn = (name: string) => (event: MouseEvent<HTMLAnchorElement>): void => {
  if (tokenOf() === "") return;
  event.preventDefault();
  void send(event.currentTarget.href).then(async (response) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await response.blob());
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  });
};
