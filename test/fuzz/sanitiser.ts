import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { negotiationSchema } from "../../src/backend/contract.ts";
import { maskForLog } from "../../src/log.ts";
import { sanitizeLine, sanitizeNegotiation } from "../../src/safety/sanitize/foreign.ts";
import { SANITIZE_DEFAULTS } from "../../src/safety/sanitize/options.ts";
import { sanitizeAny } from "../support/sanitize-any.ts";
import { anyJson, anyText, mutatedJson, RECORDED_BODIES, textOf } from "./material.ts";
import { target } from "./target.ts";

/** What others wrote, on its way to a model: never throws, and doing it twice changes nothing. */
export const sanitiser = target({
  name: "sanitiser",
  batch: 200,
  input: fc.oneof(
    anyJson,
    fc.array(anyText, { maxLength: 30 }).map((parts) => parts.join("")),
    mutatedJson(fc.constantFrom(...RECORDED_BODIES)),
  ),
  open: () => ({
    check(input) {
      const { value } = sanitizeAny(input, SANITIZE_DEFAULTS);
      if (!isDeepStrictEqual(sanitizeAny(value, SANITIZE_DEFAULTS).value, value)) throw new Error("not final");
      const text = typeof input === "string" ? input : textOf(input);
      if (/\p{Cc}/u.test(sanitizeLine(text, SANITIZE_DEFAULTS).value)) throw new Error("more than a line");
      maskForLog(text);
      const negotiation = negotiationSchema.safeParse(input);
      if (negotiation.success) sanitizeNegotiation(negotiation.data, SANITIZE_DEFAULTS);
    },
  }),
});
