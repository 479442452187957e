// Stands in for the person at a form of Claude Code: started by it as a hook, reads the question on stdin and accepts.
// A question that is a page is answered on the page.
let question = "";
for await (const chunk of process.stdin) question += chunk;
const address = /http:\/\/127\.0\.0\.1:\d+\/approve\/[\w-]+\/[\w-]+/.exec(question)?.[0];
if (address !== undefined) {
  const page = await fetch(address);
  const id = /name="confirmation_id" value="([^"]+)"/.exec(await page.text())?.[1];
  const cookie = page.headers.get("set-cookie")?.split(";")[0] ?? "";
  const answer = new URLSearchParams({ decision: "accept", ...(id !== undefined && { confirmation_id: id }) });
  await fetch(address, { method: "POST", headers: { cookie }, body: answer });
}
const content = address === undefined ? { decision: "accept" } : {};
const output = { hookSpecificOutput: { hookEventName: "Elicitation", action: "accept", content } };
process.stdout.write(JSON.stringify(output));
