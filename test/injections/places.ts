import type { Called } from "../support/clients.ts";
import type { Process, World } from "../support/world.ts";

/** The negotiations that a reader may look at. */
export interface Ids {
  /** Own, accepted, broadcast. */
  moving: string;
  /** Somebody else's, which waits. */
  others: string;
  /** Own, which waits. */
  waiting: string;
}

/** What was read in a place: the result of a tool, or the texts of a resource. */
export type Seen = Called | { contents: readonly { text?: string }[] };

/** One place where a backend's word comes from, and the call that reads it. */
export interface Field {
  name: string;
  put: (world: World, text: string, ids: Ids) => void;
  read: (p: Process, world: World, ids: Ids) => Promise<Seen>;
  /** The person's own words, as the backend repeats them: of these, the tripwire alone warns. */
  isPause?: true;
}

type Body = Record<string, unknown>;

export const call =
  (tool: string, args: (ids: Ids, world: World) => Body): Field["read"] =>
  (p, world, ids) =>
    p.call(tool, args(ids, world));

export const resource =
  (uri: (ids: Ids, world: World) => string): Field["read"] =>
  async (p, world, ids) =>
    (await world.clock.run(p.client.readResource({ uri: uri(ids, world) }))) as Seen;

/** Turns the answers of one path into something else. */
const answers = (world: World, path: RegExp, change: (body: Body) => Body): void => {
  world.rewrite = (body, { url }) => (path.test(new URL(url).pathname) ? change(body as Body) : body);
};

export const negotiation =
  (which: keyof Ids, change: (text: string) => Body): Field["put"] =>
  (world, text, ids) =>
    answers(world, new RegExp(`/negotiations/${ids[which]}$`), (body) => ({ ...body, ...change(text) }));

export const participant = (fields: (text: string) => Body) =>
  negotiation("moving", (text) => ({
    participants: [
      {
        agent_id: "one",
        display_name: "n",
        resonance_score: 0.5,
        state: "replied",
        offer_content: null,
        ...fields(text),
      },
    ],
  }));

export const listed =
  (list: "scenes" | "agents", change: (text: string) => Body): Field["put"] =>
  (world, text) =>
    answers(world, new RegExp(`/${list}$`), (body) => {
      const [first, ...more] = body[list] as Body[];
      return { ...body, [list]: [{ ...first, ...change(text) }, ...more] };
    });

export const fault =
  (status: number, body: (text: string) => string): Field["put"] =>
  (world, text) =>
    void world.mock.faults.add({ route: "get", kind: "status", status, body: body(text), times: 3 });

export const status = call("towow_status", ({ moving }) => ({ negotiation_id: moving }));
export const look = call("towow_get_negotiation", ({ moving }) => ({ negotiation_id: moving }));
export const scenes = call("towow_list_scenes", () => ({}));
export const agents = call("towow_list_agents", (_, { sceneId }) => ({ scene_id: sceneId }));
export const join = (scene: string) => call("towow_join", () => ({ scene, raw_content: "I design." }));
/** An id that can stand in an address; others are left out where a target is looked for. */
export const asId = (text: string) => text.replaceAll(/[^\p{L}\p{N}]+/gu, "_").slice(0, 100);
export const detail = (text: string) => JSON.stringify({ detail: text });

export const field = (name: string, put: Field["put"], read: Field["read"], isPause?: true): Field => ({
  name,
  put,
  read,
  ...(isPause && { isPause }),
});
