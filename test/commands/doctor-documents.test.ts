import { expect, it } from "vitest";
import { ownIo } from "../../src/app/io.ts";
import { checkDocuments } from "../../src/commands/doctor/documents.ts";
import type { Finding } from "../../src/commands/doctor/finding.ts";
import type { FetchDocument } from "../../src/mcp/http/sign-in/clients.ts";
import { doctorTexts } from "../../src/text/doctor.ts";

/** What `doctor` says of the documents of programs to the operator of an endpoint, and that it asks nobody else's network. */

const SERVED = { TOWOW_PUBLIC_URL: "https://mcp.example" };

async function examined(env: Record<string, string>, answer: FetchDocument) {
  const asked: string[] = [];
  const io = { ...ownIo, env };
  const found: Finding[] = [];
  const fetchDocument: FetchDocument = (url) => {
    asked.push(url.host);
    return answer(url);
  };
  for await (const one of checkDocuments({ io, version: "0", texts: doctorTexts("en") }, fetchDocument))
    found.push(one);
  return { asked, found: found.map(({ check, level, fix }) => [check, level, fix]) };
}
const answers: FetchDocument = async () => ({ text: "{}" });

it("says that programs with a document can sign in, or what to do where one cannot be fetched", async () => {
  expect(await examined(SERVED, answers)).toEqual({
    asked: ["claude.ai"],
    found: [["documents", "ok", undefined]],
  });
  const fails: FetchDocument = () => Promise.reject(new Error("too slow"));
  expect((await examined(SERVED, fails)).found).toEqual([
    ["documents", "warning", "export TOWOW_CLIENT_DOCUMENTS=off"],
  ]);
});

it.each([
  {},
  { TOWOW_SIGN_IN: "on" },
  { ...SERVED, TOWOW_SIGN_IN: "off" },
  { ...SERVED, TOWOW_PUBLIC_URL: "http://127.0.0.1:8765" },
  { ...SERVED, TOWOW_CLIENT_DOCUMENTS: "off" },
])("under %j nothing is fetched", async (env) => {
  expect(await examined(env, answers)).toEqual({ asked: [], found: [] });
});
