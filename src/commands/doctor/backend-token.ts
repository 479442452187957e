import type { DoctorContext, Finding } from "./finding.ts";
import type { Probed } from "./probe.ts";

/**
 * A command that makes a request with a token. The request binds a given token to this backend, or requests or renews the
 * home's own token.
 */
export const FIRST_CALL = "towow-mcp call towow_list_scenes --mode developer";

/**
 * Checks whether the backend accepts the current token. The token is proved only if the backend answers with it and refuses
 * without it. `withoutToken` makes the second request.
 */
export async function* checkToken(
  { presence }: Probed,
  { who, bearer, texts }: DoctorContext,
  withoutToken: () => Promise<Probed>,
): AsyncGenerator<Finding> {
  const check = "backend.token";
  const { present, expired, source } = who.token;
  if (!present || expired) {
    if (presence === "unclear") yield { check, level: "unchecked", message: texts.backend.noToken, fix: FIRST_CALL };
    return;
  }
  // A token's first use binds it to an origin, which a check must not do.
  if (bearer === undefined) {
    const message = texts.backend.tokenUnsent(texts.source[source ?? "file"]);
    return yield { check, level: "unchecked", message, fix: FIRST_CALL };
  }
  const isGiven = source === "environment";
  if (presence === "unclear")
    return yield {
      check,
      level: "problem",
      message: isGiven ? texts.backend.rejectedGiven("TOWOW_API_TOKEN") : texts.backend.rejected,
      fix: isGiven ? "unset TOWOW_API_TOKEN" : FIRST_CALL,
    };
  const bare = await withoutToken();
  yield bare.presence === "unclear"
    ? { check, level: "ok", message: texts.backend.accepted }
    : { check, level: "unchecked", message: texts.backend.tokenUnasked };
}
