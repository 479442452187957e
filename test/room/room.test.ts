import { describe, expect, it, vi } from "vitest";
import { roomFiles } from "../../src/app/room-files.ts";
import { createRoomRoutes } from "../../src/room/server/routes.ts";
import { buttonsOn } from "../../src/room/tools.ts";
import { uiSpec } from "../../src/room/ui-spec.ts";
import { type UiSpec, uiSpecSchema } from "../../src/room/ui-spec-schema.ts";
import { roomTexts } from "../../src/text/room.ts";
import { sha256 } from "../support/facts.ts";
import { openRoom } from "../support/room.ts";
import { DRAWING } from "../support/room-parts.ts";
import { roomStates } from "../support/room-states.ts";
import { createWorld } from "../support/world.ts";
import { DEMAND, toSheet, world } from "./world.ts";

describe("a person alone in a room", () => {
  it("from an empty home to the plan", async () => {
    const { room, world: w } = await toSheet();
    expect(room.stage()).toBe("decision");
    expect(w.mock.negotiations()[0]).toMatchObject({ confirmCount: 0 });
    await room.press("broadcast");
    await room.until(() => room.stage() === "done");
    expect(room.section("prose")).toBeDefined();
    const scene = w.mock.scenes().find(({ scene_id }) => scene_id === w.sceneId)?.name;
    expect(await room.room.report()).toContain(`For Lin, in “${scene}”. `);
    for (const { uiSpec } of room.updates) expect(uiSpecSchema.parse(uiSpec)).toEqual(uiSpec);
    const stages = [...new Set(room.updates.map(({ uiSpec }) => uiSpec.stage))];
    expect(stages).toEqual(["scene", "profile", "demand", "decision", "negotiating", "done"]);
    await room.press("openHistory");
    const history = room.section("list");
    expect(history?.kind === "list" && history.items.map(({ mark }) => mark)).toEqual(["Plan ready"]);
  });

  it("a task of the plan is a sentence, and is read whole", async () => {
    const w = await createWorld();
    const title =
      "agree with the hospital on the three days in which the counters may be watched, and on who is told of it";
    w.mock.engine.onEvent(({ event_type, data }) => {
      if (event_type !== "plan.ready") return;
      const { tasks } = (data as { plan_json: { tasks: { title: string }[] } }).plan_json;
      for (const task of tasks) task.title = title;
    });
    const p = await w.process({ feed: true });
    const { result } = await p.call("towow_demand", { intent: DEMAND });
    const room = await openRoom(w, p, result.data.negotiation_id);
    await room.until(() => room.room.state.demand?.question !== undefined);
    await room.press("broadcast");
    await room.until(() => room.room.state.demand?.tasks !== undefined);
    expect(JSON.stringify(room.section("people"))).toContain(title);
  });

  it("a room that is opened anew begins with what waits for a decision, and with the scenes once it is decided", async () => {
    const { room, world: w, process } = await toSheet();
    room.room.close();
    const again = await openRoom(w, process);
    await again.until(() => again.stage() === "decision" && again.room.state.demand?.question !== undefined);
    expect(again.section("sheet")).toBeDefined();
    await again.press("broadcast");
    await again.until(() => again.stage() === "done");
    const later = await openRoom(w, process);
    await w.clock.advance(1_000);
    expect(later.stage()).toBe("scene");
  });

  it("what fails is told in the language that the room is in, whatever the settings say", async () => {
    const { room, world: w } = await toSheet({ lang: "en" });
    await room.press("setLanguage");
    expect(room.spec().lang).toBe("zh");
    w.mock.faults.add({ route: "action", kind: "status", status: 500, times: 1_000 });
    w.mock.faults.add({ route: "confirm", kind: "status", status: 500, times: 1_000 });
    await room.press("broadcast").catch(() => {});
    await room.until(() => room.spec().notes.length > 0);
    for (const { text } of room.spec().notes) expect(text).toMatch(/^[^A-Za-z]*\p{Script=Han}/u);
  });

  it("a demand that is refused is told in it too", async () => {
    const { room, world: w } = await world({ lang: "en" });
    await room.press("setLanguage");
    await room.call("select", { itemId: w.sceneId });
    await room.press("next");
    await room.call("setField", { fieldId: "display_name", value: "Lin" });
    w.mock.faults.add({ route: "agents.register", kind: "status", status: 500, times: 1_000 });
    await room.press("next").catch(() => {});
    const [note] = room.spec().notes;
    expect(note?.text).toMatch(/^[^A-Za-z]*\p{Script=Han}/u);
  });

  it("every field of the profile goes to the backend under its own name, and an empty one does not", async () => {
    const { room, world: w } = await world();
    await room.call("select", { itemId: w.sceneId });
    await room.press("next");
    const typed = {
      display_name: "Lin",
      bio: "Predicts waiting times.",
      description: "Eight years in hospital IT; looks for a designer.",
      skills: "python, forecasting，排班、queue theory\nSQL",
      capabilities: "a pilot, from data to page",
      interests: "queues",
      experience: "Three hospitals.",
    };
    for (const [fieldId, value] of Object.entries(typed)) await room.call("setField", { fieldId, value });
    let stored: unknown;
    w.mock.engine.formulateWith((_, profile) => {
      stored = profile;
      return undefined;
    });
    await room.press("next");
    await room.call("setField", { fieldId: "intent", value: DEMAND });
    await room.press("next");
    await room.until(() => stored !== undefined);
    const { display_name: _name, skills: _s, capabilities: _c, interests: _i, ...texts } = typed;
    const lists = {
      skills: ["python", "forecasting", "排班", "queue theory", "SQL"],
      capabilities: ["a pilot, from data to page"],
      interests: ["queues"],
    };
    expect(stored).toEqual({ ...texts, ...lists });
  });

  it("what was taken out does not go out, and everything else does word for word", async () => {
    const { room, world: w } = await toSheet();
    const sheet = room.section("sheet");
    if (sheet?.kind !== "sheet") throw new Error("no sheet");
    const [first] = sheet.parts;
    const phone = sheet.parts.find(({ kind }) => kind === "personal");
    await room.call("takeOut", { itemId: first?.id ?? "" });
    await room.call("takeOut", { itemId: phone?.id ?? "" });
    const now = room.section("sheet");
    if (now?.kind !== "sheet") throw new Error("no sheet");
    expect(now.outgoing).not.toContain("13800138000");
    expect(now.outgoing).not.toContain(first?.text);
    await room.press("broadcast");
    await room.until(() => room.stage() === "done");
    expect(w.mock.negotiations()[0]?.confirmedText).toBe(now.outgoing);
  });

  it("what fails in one second ends neither the next one nor the program", async () => {
    const { room, world: w } = await toSheet();
    room.room.subscribe(() => {
      throw new Error("this watcher has gone");
    });
    const bar = ({ sections }: UiSpec) => sections.flatMap((section) => (section.kind === "bar" ? section : []))[0]!;
    const decideBy = bar(room.spec()).decideBy ?? 0;
    const seen = () => bar(room.updates.at(-1)!.uiSpec).facts[0]?.term;
    const { late, last } = roomTexts("en").decision;
    for (const [leftMs, term] of [
      [50_000, late],
      [8_000, last],
    ] as const) {
      await w.clock.advance(decideBy - leftMs - w.clock.now());
      expect(seen()).toBe(term);
    }
  });

  it("a click on a text that is another one by now sends nothing", async () => {
    const { room, world: w } = await toSheet();
    const before = buttonsOn(room.spec()).find(({ toolName }) => toolName === "broadcast");
    await room.press("edit");
    await room.call("setField", { fieldId: "text", value: `${DEMAND} Remote.` });
    await room.call("broadcast", before?.params);
    expect(w.mock.negotiations()[0]).toMatchObject({ confirmCount: 0 });
    expect(room.spec().notes).toContainEqual({ tone: "error", text: roomTexts("en").decision.changed });
    await room.press("broadcast");
    await room.until(() => room.stage() === "done");
    expect(w.mock.negotiations()[0]?.confirmedText).toBe(`${DEMAND} Remote.`);
  });

  it("withdraws, says that nothing went out, and leads on", async () => {
    const { room, world: w } = await toSheet();
    await room.press("withdraw");
    await room.until(() => room.stage() === "done");
    expect(room.spec()).toMatchObject({ heading: "Withdrawn", progress: "Over" });
    expect(w.mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmCount: 0 });
    await room.press("next");
    await room.until(() => room.stage() === "decision");
    expect(w.mock.negotiations()).toHaveLength(2);
  });
});

describe("under the profile read_only", () => {
  it("no yes goes out by any hand, the page says so, and a no still does", async () => {
    for (const lang of ["en", "zh"] as const) {
      const { room, process, world: w } = await toSheet();
      const { question, id = "" } = room.room.state.demand ?? {};
      const shown = buttonsOn(room.spec()).find(({ toolName }) => toolName === "broadcast");
      Object.assign(process.settings, { profile: "read_only" });
      const hash = sha256(String(w.mock.negotiations()[0]?.demand_formulated));
      for (const rendering of [
        { surface: "page", rendered_hash: hash, browser: "own_window" },
        { surface: "terminal", rendered_hash: hash },
      ] as const) {
        const yes = { negotiationId: id, confirmationId: question?.id, kind: "accept", rendering } as const;
        await expect(w.clock.run(process.negotiations.decide(yes))).rejects.toMatchObject({
          code: "tool.policy.blocked.profile",
        });
      }
      // The click of a page that was painted before.
      await room.call("broadcast", shown?.params).catch(() => {});
      expect(room.room.state.notice?.text).toBe(
        "The profile read_only only lets you read. Nothing was sent. The profile is set where this server runs.",
      );
      if (lang === "zh") await room.press("setLanguage");
      await room.call("refresh");
      expect(room.spec().notes.map(({ text }) => text)).toContain(roomTexts(lang).decision.readsOnly);
      expect(buttonsOn(room.spec()).find(({ toolName }) => toolName === "broadcast")?.enabled).toBe(false);
      expect(w.mock.negotiations()[0]).toMatchObject({ confirmCount: 0 });
      await room.press("withdraw");
      await room.until(() => room.stage() === "done");
      expect(w.mock.negotiations()[0]).toMatchObject({ confirmCount: 0, state: "completed" });
    }
  });
});

describe("two windows on one question", () => {
  async function windows() {
    const opened = await toSheet();
    const { room, process, world: w } = opened;
    const serve = createRoomRoutes({ platform: process.deps, files: roomFiles(new URL("../../", import.meta.url)) });
    const visit = { room: room.room, base: "/room", browser: "own_window", mayStay: async () => true } as const;
    const pressing = (tool: string) => {
      const action = buttonsOn(room.spec()).find(({ toolName }) => toolName === tool);
      return `${tool}?${new URLSearchParams(action?.params)}`;
    };
    const click = (value: string, headers: Record<string, string> = {}) => {
      const body = new URLSearchParams({ do: value });
      const request = new Request("http://localhost/room/act", { method: "POST", body, headers });
      return w.clock.run(serve(request, visit));
    };
    const page = async (path: string) => (await serve(new Request(`http://localhost${path}`), visit)).text();
    return { ...opened, pressing, click, page };
  }
  const JSON_ANSWER = { accept: "application/json" };

  it("the one whose click came second is told so, in its own window alone, with a script and without", async () => {
    for (const lang of ["en", "zh"] as const) {
      const { room, world: w, pressing, click, page } = await windows();
      if (lang === "zh") await room.press("setLanguage");
      const [yes, no] = [pressing("broadcast"), pressing("withdraw")];
      expect(await (await click(yes, JSON_ANSWER)).json()).not.toHaveProperty("late");
      const { decided } = roomTexts(lang).lateClick;
      for (const late of [yes, no]) {
        const answer = await (await click(late, JSON_ANSWER)).json();
        expect(answer).toMatchObject({ late: decided });
        expect(JSON.stringify(answer.uiSpec)).not.toContain(decided);
        const { status, headers } = await click(late);
        expect([status, headers.get("location")]).toEqual([303, "/room?late=decided"]);
      }
      expect(await page("/room?late=decided")).toContain(`<p class="note warning">${decided}</p>`);
      for (const path of ["/room", "/room?late=nonsense", "/room?late=constructor"])
        expect(await page(path)).not.toContain("note warning");
      expect(w.mock.negotiations()[0]).toMatchObject({ confirmCount: 1 });
    }
  });

  it("a page that slept over to the next demand decides nothing about that one", async () => {
    const { room, world: w, pressing, click } = await windows();
    const { moved } = roomTexts("en").lateClick;
    const until = (stage: string) => room.until(() => room.stage() === stage);
    const end = async (tool: "withdraw" | "cancel") => {
      const pressed = pressing(tool);
      await room.press(tool);
      await until("done");
      const again = pressing("next");
      await room.press("next");
      await room.until(() => room.room.state.demand?.question !== undefined);
      return { pressed, again };
    };
    const first = await end("withdraw");
    expect(await (await click(first.pressed, JSON_ANSWER)).json()).toMatchObject({ late: moved });
    await room.press("broadcast");
    await until("negotiating");
    const second = await end("cancel");
    await room.press("broadcast");
    await until("negotiating");
    expect(await (await click(second.pressed, JSON_ANSWER)).json()).toMatchObject({ late: moved });
    await room.press("cancel");
    await until("done");
    for (const { again } of [first, second])
      expect(await (await click(again, JSON_ANSWER)).json()).toMatchObject({ late: moved });
    expect(w.mock.negotiations()).toMatchObject([{ confirmCount: 0 }, { confirmCount: 1 }, { confirmCount: 1 }]);
  });

  it("a page that slept over to another scene joins nothing", async () => {
    const { room, world: w, pressing, click } = await windows();
    const [, other] = w.mock.scenes();
    await room.press("withdraw");
    await room.until(() => room.stage() === "done");
    await room.press("restart");
    await room.until(() => room.section("list") !== undefined);
    await room.call("select", { itemId: other?.scene_id ?? "" });
    await room.press("next");
    expect(room.stage()).toBe("profile");
    const asleep = pressing("next").replace(String(other?.scene_id), w.sceneId);
    const { moved } = roomTexts("en").lateClick;
    expect(await (await click(asleep, JSON_ANSWER)).json()).toMatchObject({ late: moved });
    expect(room.stage()).toBe("profile");
  });

  it("it is told what was first: nobody in time, or a page that had moved on", async () => {
    const { room, pressing, click } = await windows();
    const yes = pressing("broadcast");
    await room.until(() => room.stage() === "done");
    expect(await (await click(yes, JSON_ANSWER)).json()).toMatchObject({ late: roomTexts("en").lateClick.overdue });
    expect(await (await click("cancel", JSON_ANSWER)).json()).toMatchObject({ late: roomTexts("en").lateClick.moved });
    expect(await (await click("select?itemId=nobody", JSON_ANSWER)).json()).not.toHaveProperty("late");
  });
});

it("nobody goes on with a scene that the search has hidden", () => {
  const chosen = roomStates("en").scene!;
  const goesOn = (sceneQuery: string) => {
    const { sections } = uiSpec({ ...chosen, form: { ...chosen.form, sceneQuery } }, DRAWING);
    const list = sections.find(({ kind }) => kind === "list");
    return list?.kind === "list" && list.actions.find(({ toolName }) => toolName === "next")?.enabled;
  };
  expect([goesOn(""), goesOn("indie"), goesOn("zzz")]).toEqual([true, true, false]);
});

it("a form of very many fields costs no more than those of the screen", async () => {
  const world = await createWorld();
  const process = await world.process({ config: { last_scene_id: undefined } });
  const { room } = await openRoom(world, process);
  const serve = createRoomRoutes({ platform: process.deps, files: roomFiles(new URL("../../", import.meta.url)) });
  const call = vi.spyOn(room, "call");
  const body = new URLSearchParams(Array.from({ length: 20_000 }, (_, i) => [`f.x${i}`, "x"]));
  body.set("f.sceneQuery", "design");
  const request = new Request("http://localhost/room/act", { method: "POST", body });
  const visit = { room, base: "/room", browser: "own_window", mayStay: async () => true } as const;
  expect((await serve(request, visit)).status).toBe(303);
  expect(call.mock.calls.map(([, tool]) => tool)).toEqual(["setField"]);
  expect(room.state.form.sceneQuery).toBe("design");
});

it("a demand that its person has left does not come back, whatever the backend says of it later", async () => {
  const { room, process, world: w } = await toSheet();
  const { id = "" } = room.room.state.demand ?? {};
  for (let i = 0; i < 1_000; i++)
    for (const route of ["get", "action"] as const) w.mock.faults.add({ route, kind: "status", status: 404 });
  await w.clock.advance(360_000);
  room.room.close();
  const again = await openRoom(w, process);
  await again.press("openHistory");
  await again.call("openDemand", { itemId: id });
  await again.until(() => again.room.state.demand?.stage.name === "not_found");
  await again.press("restart");
  await w.clock.advance(60_000);
  expect([again.stage(), again.room.state.demand]).toEqual(["scene", undefined]);
});

it("what was typed about the person, a résumé too, stands in the profile of the next demand's scene", async () => {
  const { room, world: w } = await world();
  const typed = { display_name: "Lin", resume: "Eight years of queues,\nand two of hospitals." };
  await room.call("select", { itemId: w.sceneId });
  await room.press("next");
  for (const [fieldId, value] of Object.entries(typed)) await room.call("setField", { fieldId, value });
  await room.press("next");
  await room.call("setField", { fieldId: "intent", value: "A designer for a hospital pilot" });
  await room.press("next");
  await room.until(() => room.section("sheet") !== undefined && room.room.state.demand?.question !== undefined);
  await room.press("withdraw");
  await room.until(() => room.stage() === "done");
  await room.press("restart");
  await room.call("select", { itemId: w.mock.scenes()[1]?.scene_id ?? "" });
  await room.press("next");
  expect(room.stage()).toBe("profile");
  const fields = room.spec().sections.flatMap((section) => (section.kind === "form" ? section.fields : []));
  expect(Object.fromEntries(fields.map(({ id, value }) => [id, value]))).toMatchObject(typed);
});

it("what the person does in the room is in the log as every other call of a tool, without what it said", async () => {
  const { world: w, process } = await world();
  const lines: string[] = [];
  const write = (event: string, fields?: object) => void lines.push(JSON.stringify({ event, ...fields }));
  const log = { debug: write, info: write, warn: write, error: write };
  const room = await openRoom(w, { ...process, deps: { ...process.deps, log } });
  await room.call("select", { itemId: w.sceneId });
  await room.press("next");
  await room.call("setField", { fieldId: "display_name", value: "Lin of the pilot" });
  await room.press("next");
  const done = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "agent_tool_done");
  expect(done).toContainEqual(expect.objectContaining({ tool: "towow_join", status: "completed" }));
  expect(lines.join()).not.toContain("Lin of the pilot");
});
