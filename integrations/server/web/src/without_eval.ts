// `ai` checks its chunks with zod, which makes functions of text where it may. The page's policy forbids that, and the
// browser would log the attempt. This module is imported before `ai`.

import { config } from "zod/v4";

config({ jitless: true });
