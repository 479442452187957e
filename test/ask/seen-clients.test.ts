import { expect, it } from "vitest";
import { MIN_FORM } from "../../src/ask/form-geometry.ts";
import { compareVersions, SEEN_CLIENTS, surfaceOf } from "../../src/ask/seen-clients.ts";

it.each(SEEN_CLIENTS)("$title $version and every newer one shows what was seen of it", ({ client, version, form }) => {
  for (const newer of [version, `${version}.1`, "999.0.0"])
    expect(surfaceOf({ name: client, version: newer }).form).toBe(form);
});

it.each([
  ["nobody", undefined],
  ["a stranger", { name: "somebody-else", version: "9.9.9" }],
  ["a version older than any that was seen", { name: "codex-mcp-client", version: "0.100.0" }],
  ["no version at all", { name: "copilot-cli", version: "" }],
  ["a name that is no name", { name: "__proto__", version: "1" }],
])("%s: the least of what was seen anywhere", (_, client) => {
  expect(surfaceOf(client)).toEqual({
    form: MIN_FORM,
    fieldOrder: "as_given",
    pages: "opened",
    needsElicitationId: false,
  });
});

it.each([
  ["2.1.329", "2.1.330", -1],
  ["0.169.0", "0.21", 1],
  ["1.0", "1.0.0", 0],
  ["1.0.0-beta.2", "1.0.0", 1],
  ["x", "0", 0],
])("%s against %s: %i", (a, b, sign) => {
  expect(Math.sign(compareVersions(a, b))).toBe(sign);
});
