import { expect, it } from "vitest";
import { MIN_FORM, SEEN_CLIENTS, surfaceOf } from "../../src/ask/client-forms.ts";

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
  ["0.169.0", true],
  ["0.169", true],
  ["0.169.0-beta.2", true],
  ["0.1690", true],
  ["1", true],
  ["0.168.99", false],
  ["0.21", false],
  ["0.99.99", false],
  ["x", false],
])("what was seen of 0.169.0 in %s: %s, by its numbers", (version, isSeen) => {
  const seen = SEEN_CLIENTS.find(({ client, version }) => client === "codex-mcp-client" && version === "0.169.0");
  expect(surfaceOf({ name: "codex-mcp-client", version }).form).toBe(isSeen ? seen?.form : MIN_FORM);
});
