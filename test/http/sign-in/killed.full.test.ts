import { expect, it, onTestFinished } from "vitest";
import { send, toolCall } from "../../support/endpoint.ts";
import { signedIn, startSignIn } from "../../support/sign-in.ts";

it("killed between code and token, one process has the grant, the pause and the code when it is back", async () => {
  const first = await startSignIn({ spawned: true });
  onTestFinished(() => first.close());
  const { access, refresh, program, person } = await signedIn(first, await first.token());
  const call = async (port: number, name: string, args: object) =>
    (await send(port, { headers: { Authorization: `Bearer ${access}` }, body: toolCall(name, args) })).json.result
      .structuredContent;
  const scene_id = first.mock.scenes()[0]?.scene_id;
  const asked = await call(first.port, "towow_demand", { intent: "A designer", scene_id });
  const code = await person.allows(program.asks(), {});
  first.signal("SIGKILL");
  await first.exited;
  const next = await startSignIn({ backend: { mock: first.mock, url: first.mockUrl }, home: first.home });
  onTestFinished(() => next.close());
  const seen = await call(next.port, "towow_status", {});
  expect(seen.data).toMatchObject({ negotiation_id: asked.data.negotiation_id, state: "formulated" });
  Object.assign(program.at, { port: next.port, origin: next.origin });
  expect((await program.redeem(code, { resource: undefined })).status).toBe(200);
  expect((await program.refresh(refresh)).status).toBe(200);
});
