// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables that nobody filled in are what is tested here
import fc from "fast-check";
import { expect, it } from "vitest";
import { isPlaceholder } from "../../src/home/placeholder.ts";

it.each([
  ...["${TOWOW_TOKEN}", "${env:TOWOW_TOKEN}", "${TOWOW_TOKEN:-}", "${input:token}", "${{ secrets.TOKEN }}", "tok-${X}"],
  ...["#{TOKEN}", "@{TOKEN}", "{{TOKEN}}", "{{ token }}", "{% token %}", "$TOWOW_TOKEN", "$token", "$env:TOKEN"],
  ...[
    "$(cat ~/token)",
    "%TOWOW_TOKEN%",
    "{env:X}",
    "{env.X}",
    "%%X%%",
    "{file:~/.token}",
    "{TOWOW_TOKEN}",
    "{token}",
    "@TOKEN@",
  ],
  ...["__TOKEN__", "process.env.TOWOW_TOKEN", "op://vault/towow/token", "TOWOW_TOKEN", "TOWOW_USER_ID"],
  ...[
    "<your-token>",
    "<token>",
    "<nil>",
    "<你的令牌>",
    "＜令牌＞",
    "你的令牌",
    "your-token",
    "YOUR_TOKEN",
    "your_token_here",
  ],
  ...["yourtoken", "[your-token]", "paste-your-token-here", "TOKEN_HERE", "insert your id", "changeme", "CHANGE_ME"],
  ...["undefined", "null", "NULL", "None", "NaN", "(null)", "[object Object]", "user-undefined", "xxx", "xxxx-xxxx"],
  ...["***", "...", "…………", "___", '"${X}"', "'undefined'", "`$X`", "Bearer ${X}", "bearer undefined", " <token> "],
])("%s is a placeholder", (text) => {
  expect(isPlaceholder(text)).toBe(true);
});

it.each([
  ...["u-1", "t", "ada", "me", "nan", "nil", "Null-Object", "undefinedness", "youri", "Yourcenar", "令牌", "周牧"],
  ...["a-token", "secret", "token", "user@example.com", "agent_zhou_mu", "towow_real-person", "O'Neil", "x", "xx"],
  ...["{3F2504E0-4F89-11D3-9A0C-0305E82C3301}", "{d41d8cd98f00b204e9800998ecf8427e}", "urn:uuid:3f2504e0", "100%"],
  ...["$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW", "$argon2id$v=19$m=65536,t=3,p=4$c29tZQ$x"],
  ...[
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZ2VudF8xIiwiaWF0IjoxfQ.c2lnbmF0dXJlLWhlcmU",
    "sk-ant-api03-Ab_9--x",
  ],
])("%s is none", (text) => {
  expect(isPlaceholder(text)).toBe(false);
});

it("what a backend issues is never one", () => {
  const base64url = fc
    .uint8Array({ minLength: 12, maxLength: 64 })
    .map((bytes) => Buffer.from(bytes).toString("base64url"));
  const hex = fc.uint8Array({ minLength: 6, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString("hex"));
  const base64 = fc.uint8Array({ minLength: 8, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString("base64"));
  const prefixed = fc.tuple(fc.constantFrom("towow_", "user_", "u-", "tok.", ""), fc.oneof(base64url, hex, fc.uuid()));
  fc.assert(
    fc.property(
      fc.oneof(
        base64,
        prefixed.map(([prefix, id]) => prefix + id),
      ),
      (text) => {
        expect(isPlaceholder(text)).toBe(/^(?:x|_|-){3,}$/i.test(text));
      },
    ),
    { numRuns: 2_000 },
  );
});
