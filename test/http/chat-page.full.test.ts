import { afterEach, beforeEach, expect, it } from "vitest";
import { PAGE_TOOL, ROOM_META, TICKET_META } from "../../src/question/chat-wire.ts";
import type { Boot } from "../../src/room/page/store.ts";
import { buttonsOn } from "../../src/room/tools.ts";
import { alongside } from "../journeys/alongside.ts";
import { DRAWS } from "../support/chat.ts";
import { type Endpoint, modernRequest, type RawRequest, send, startEndpoint, toolCall } from "../support/endpoint.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { soon } from "../support/soon.ts";

/** The page in the chat at an endpoint, where its calls come among all others. */

const HELD_MS = 60_000;
/** So many calls run at once, however busy the event loop is. */
const LEAST = 64;
const INTENT = "A product designer who knows hospital queues";

let clock: ManualClock;
let endpoint: Endpoint;

beforeEach(async () => {
  clock = new ManualClock();
  const args = ["--mode", "developer", "--drain", "0"];
  endpoint = await startEndpoint({ clock, args });
});
afterEach(async () => {
  await clock.advance(HELD_MS);
  await alongside(clock, endpoint.close());
});

/** One user's client, which draws pages. */
async function person() {
  const headers = { Authorization: `Bearer ${await endpoint.token()}` };
  const ask = (request: RawRequest) =>
    alongside(clock, send(endpoint.port, { ...request, headers: { ...headers, ...request.headers } }));
  const call = (name: string, args: object, _meta: object = {}) => {
    const { body, ...request } = modernRequest("tools/call", { name, arguments: args }, DRAWS);
    const message = JSON.parse(body as string);
    message.params._meta = { ...message.params._meta, ..._meta };
    return { ...request, body: JSON.stringify(message) };
  };
  /** A demand that waits, and the ticket of the page at it. */
  const waiting = async () => {
    const submit = toolCall("towow_submit_demand", { scene_id: endpoint.mock.scenes()[0]?.scene_id, intent: INTENT });
    const { negotiation_id } = (await ask({ body: submit })).json.result.structuredContent.data;
    const { result } = (await ask(call("towow_demand", { negotiation_id }))).json;
    return result._meta[TICKET_META].ticket as string;
  };
  const ofPage = (ticket: string, path: string, form: object) =>
    call(PAGE_TOOL, { path, form }, { [TICKET_META]: { ticket } });
  /** What a button of the opened page sends. */
  const press = async (ticket: string, tool: string) => {
    const { result } = (await ask(ofPage(ticket, "/", { do: "" }))).json;
    const { spec } = JSON.parse(result._meta[ROOM_META].body) as Boot;
    const { params = {} } = buttonsOn(spec).find(({ toolName }) => toolName === tool) ?? {};
    const shown = params.textHash ?? "";
    return ofPage(ticket, "/act", { do: `${tool}?${new URLSearchParams(params)}`, display: "visible", shown });
  };
  await ask({ body: toolCall("towow_list_scenes") }); // from now on the backend has accepted this token
  return { headers, ask, waiting, press };
}

/** Calls take every place for {@link HELD_MS}. */
async function fill(headers: Record<string, string>): Promise<void> {
  endpoint.mock.faults.add({ route: "get", kind: "delay", delayMs: HELD_MS, times: LEAST });
  for (let i = 0; i < LEAST; i++)
    void send(endpoint.port, { headers, body: toolCall("towow_status", { negotiation_id: `neg_held_${i}` }) }).catch(
      () => {},
    );
  await soon(() => endpoint.mock.journal.filter(({ path }) => path.includes("neg_held_")).length).toBe(LEAST);
}

it.each([
  ["broadcast", { confirmCount: 1, cancelled: false }],
  ["withdraw", { confirmCount: 0, cancelled: true }],
])("takes the page's %s while the endpoint is full of others' calls", async (tool, came) => {
  const [ada, bob] = [await person(), await person()];
  const click = await ada.press(await ada.waiting(), tool);
  await fill(bob.headers);
  const { status } = await ada.ask(click);
  expect([status, now()]).toEqual([200, [came]]);
});
const now = () => endpoint.mock.negotiations().map(({ confirmCount, cancelled }) => ({ confirmCount, cancelled }));

it("one user's ticket opens nothing for another", async () => {
  const [ada, bob] = [await person(), await person()];
  const click = await ada.press(await ada.waiting(), "broadcast");
  const { result } = (await bob.ask(click)).json;
  expect(result).toMatchObject({ isError: true });
  expect(result._meta?.[ROOM_META]).toEqual({ status: 410, body: "" });
  expect(now()).toEqual([{ confirmCount: 0, cancelled: false }]);
  await ada.ask(click);
  expect(now()).toMatchObject([{ confirmCount: 1 }]);
});
