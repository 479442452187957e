import { expect, it } from "vitest";
import { send, startEndpoint, toolCall } from "../support/endpoint.ts";
import { soon } from "../support/soon.ts";

it("what its person submitted and confirmed on the network's own page is not said to have gone on without them", async () => {
  const endpoint = await startEndpoint({ mock: { seed: 4, stepMs: 100 } });
  const { mock, mockUrl, port } = endpoint;
  try {
    const headers = { Authorization: `Bearer ${await endpoint.token("ada")}`, "Content-Type": "application/json" };
    const there = async (path: string, body: object) => {
      const answer = await fetch(`${mockUrl}/v1/api/negotiations/${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      expect(answer.ok).toBe(true);
      return (await answer.json()) as { negotiation_id: string };
    };
    const scene_id = mock.scenes()[0]?.scene_id;
    const { negotiation_id } = await there("submit", { scene_id, user_id: "ada", intent: "A designer" });
    const state = () => mock.negotiations().find((n) => n.negotiation_id === negotiation_id)?.state;
    const look = async () =>
      (await send(port, { headers, body: toolCall("towow_status", { negotiation_id }) })).json.result.structuredContent;
    await soon(state).toBe("formulated");
    expect((await look()).data.state).toBe("formulated");
    await there(`${negotiation_id}/confirm`, {});
    const said: string[] = [];
    await soon(async () => {
      const { summary, warnings, data } = await look();
      said.push(summary, ...warnings);
      return data.state;
    }).toBe("completed");
    expect(said.join("\n")).not.toMatch(/without your yes|auto_confirmed/);
  } finally {
    await endpoint.close();
  }
});

it("who has only a token is told of their room, and of no terminal or command that is not theirs", async () => {
  const publicUrl = "https://towow.example";
  const endpoint = await startEndpoint({ args: ["--public-url", publicUrl], mock: { seed: 4 } });
  const { mock, port } = endpoint;
  try {
    const headers = { Authorization: `Bearer ${await endpoint.token("ada")}`, Host: "towow.example" };
    const call = async (name: string, args: object, path = "/mcp") =>
      (await send(port, { path, headers, body: toolCall(name, args) })).json.result.structuredContent;
    const asked = await call("towow_demand", { intent: "A designer", scene_id: mock.scenes()[0]?.scene_id });
    const { negotiation_id } = asked.data;
    const look = await call("towow_status", { negotiation_id }, "/mcp?profile=read_only");
    expect(look.summary).toContain("nothing can be broadcast from here, only withdrawn");
    expect(look.summary).toContain("The person reads it and decides in their room");
    expect(look.summary).toContain(`${publicUrl}/room`);
    const gone = await call("towow_status", { negotiation_id: "neg_unknown" });
    const blocked = await call("towow_demand", { intent: "An editor" }, "/mcp?profile=read_only");
    expect(blocked.error.recovery_suggestion).toBe(
      "The profile is set in the person's client entry or by the operator of this endpoint; ask the person.",
    );
    expect(JSON.stringify([asked.summary, look, gone, blocked])).not.toMatch(/towow-mcp|terminal/);
  } finally {
    await endpoint.close();
  }
});
