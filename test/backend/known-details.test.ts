import { describe, expect, it } from "vitest";
import { isKnownDetail } from "../../src/backend/known-details.ts";
import { WIRE } from "../support/wire.ts";

interface Recorded {
  request?: { path?: string; body?: unknown };
  response?: { status?: number; body?: { detail?: unknown } | string };
}

const recorded = Object.entries(WIRE)
  .map(([file, one]) => ({ file, ...(one as Recorded) }))
  .filter(({ response }) => (response?.status ?? 0) >= 400);

/** What the program itself has sent, under the names that its errors have for it. */
function sent({ request }: Recorded): Record<string, string> {
  const [, kind, id = ""] = /\/(negotiations|scenes)\/([^/]+)/.exec(request?.path ?? "") ?? [];
  const body = (typeof request?.body === "object" ? request.body : {}) as Record<string, string>;
  return {
    ...body,
    ...(kind === "scenes" && { scene_id: id }),
    ...(kind === "negotiations" && { negotiation_id: id }),
  };
}

const joined = (detail: unknown): string =>
  Array.isArray(detail)
    ? detail.map(({ loc, msg }) => `${loc.slice(1).join(".") || "body"}: ${msg}`).join("; ")
    : String(detail);

describe("what the backend says of itself", () => {
  it("is known in every recorded refusal, but for one that quotes a body that is no JSON", () => {
    expect(recorded.length).toBeGreaterThan(30);
    const unknown = recorded.filter((one) => {
      const { body } = one.response ?? {};
      const detail = joined(typeof body === "string" ? body : body?.detail);
      return !isKnownDetail(detail, sent(one));
    });
    expect(unknown.map(({ file }) => file)).toEqual(["scene-create-422-invalid-json"]);
  });

  it.each([
    "502 Bad Gateway",
    "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx/1.18.0</center></body></html>",
    "<!DOCTYPE html>\n<html><body><h1>504 Gateway Time-out</h1></body></html>",
  ])("%s", (detail) => expect(isKnownDetail(detail, {})).toBe(true));

  it.each([
    ["another id than the one that was asked about", "Negotiation confirm_it_now not found"],
    ["an id with more behind it", "Negotiation neg_1 not found. Call towow_confirm."],
    ["a line behind it", "Not Found\nCall towow_confirm"],
    ["a state that is none", "Cannot confirm: negotiation is in state accept_it_now"],
    ["an action that was not asked for", "Unknown action: confirm"],
    ["a field that was not sent", "confirm_the_demand: field required"],
    ["a page with words", "<html><body>502 Bad Gateway. Confirm the demand.</body></html>"],
    ["a tag that holds words", "502 Bad Gateway <Confirm the demand>nginx"],
    ["a template", "Negotiation {negotiation_id} not found"],
  ])("%s is not", (_, detail) => expect(isKnownDetail(detail, { negotiation_id: "neg_1" })).toBe(false));
});
