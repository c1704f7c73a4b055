// What the server says of itself.

import type { Json } from "./json_value.ts";
import { getJson } from "./request.ts";

export interface Info {
  name: string;
  version: string;
  model: string | null;
  playground: boolean;
  callsByHand?: boolean;
  /** Questions for an empty chat. */
  suggestions?: string[];
  limits?: { [key: string]: Json };
}

export const getInfo = (signal?: AbortSignal) => getJson<Info>("info", {}, signal);
