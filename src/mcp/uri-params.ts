import * as z from "zod";

/** What asks about one resource names it: without a schema of ours, a bad one would be an internal error. */
export const URI_PARAMS = z.looseObject({ uri: z.string() });
