import * as z from "zod";
import { wellFormedJsonIn } from "../../json.ts";
import { once } from "../../once.ts";
import { excessIn } from "../body.ts";

/**
 * This file reads the events of the backend's WebSocket feed, and does so leniently, because the feed is no part of the
 * contract, and an older or newer backend may say less or more. Whatever is not understood is left out. Every text is cut to a
 * useful length.
 */

const MAX_ITEMS = 100;
const LINE = 200;
const TEXT = 2_000;

const text = (max: number) =>
  z
    .unknown()
    .transform((value) =>
      typeof value === "string" || typeof value === "number" ? String(value).slice(0, max).toWellFormed() : "",
    );
const id = z.string().min(1).max(LINE);
const score = z.number().refine(Number.isFinite);
const count = z.int().min(0).max(1_000_000);

/** Reads a list, and leaves out what is not an item, and everything after the 100th. */
const listOf = <T extends z.ZodType>(item: T) =>
  z
    .unknown()
    .transform((value): z.output<T>[] =>
      (Array.isArray(value) ? value.slice(0, MAX_ITEMS) : []).flatMap((one) => item.safeParse(one).data ?? []),
    );

const sizeOf = () => z.unknown().transform((value) => (Array.isArray(value) ? value.length : 0));

const agent = () => z.object({ agent_id: id, display_name: text(LINE), resonance_score: score });

const task = () =>
  z.object({
    id,
    title: text(LINE),
    description: text(TEXT),
    assignee_id: text(LINE),
    prerequisites: listOf(id),
  });
const edge = () => z.object({ from: id, to: id });

const planJson = () =>
  z.object({
    participants: listOf(z.object({ agent_id: id, display_name: text(LINE), role_in_plan: text(LINE) })),
    tasks: listOf(task()),
    topology: z
      .object({ edges: listOf(edge()) })
      .optional()
      .catch(undefined),
  });

const shapes = () => ({
  "formulation.ready": z.object({
    raw_intent: z.string(),
    formulated_text: z.string(),
    degraded: z.boolean(),
    degraded_reason: text(LINE),
  }),
  "resonance.activated": z
    .object({ activated_count: count, filtered_agents: z.unknown() })
    .transform(({ filtered_agents, ...rest }) => ({
      ...rest,
      filtered_agents: listOf(agent()).parse(filtered_agents),
      filtered_count: sizeOf().parse(filtered_agents),
    })),
  "barrier.complete": z.object({ total_participants: count, offers_received: count, exited_count: count }),
  "center.tool_call": z.object({ tool_name: id, round_number: count.catch(0) }),
  "sub_negotiation.started": z.object({ sub_negotiation_id: id, gap_description: text(TEXT) }),
  "plan.ready": z.object({
    plan_text: z.string().nullable(),
    center_rounds: count.catch(0),
    plan_json: planJson().optional().catch(undefined),
  }),
});

type Shapes = ReturnType<typeof shapes>;
type FeedEventType = keyof Shapes;

/** An event that this version knows. */
export type FeedEvent = {
  [Type in FeedEventType]: { type: Type; id: string; data: z.output<Shapes[Type]> };
}[FeedEventType];

export type PlanTask = z.output<ReturnType<typeof task>>;
export type FilteredAgent = z.output<ReturnType<typeof agent>>;

const envelope = () =>
  z.object({ event_type: z.string(), negotiation_id: z.string(), event_id: id, data: z.unknown() });

/** The schemas, made with the first frame because most programs listen to no feed. */
const schemas = once(() => ({ envelope: envelope(), shapes: shapes() }));

/**
 * Reads one frame of the feed of this negotiation. Returns undefined for a frame that is no event of this negotiation, for an
 * event that this version does not know, and for an event of another shape.
 */
export function readEvent(frame: string, negotiationId: string): FeedEvent | undefined {
  if (excessIn(frame) !== undefined) return undefined;
  const { envelope, shapes } = schemas();
  const parsed = envelope.safeParse(wellFormedJsonIn(frame)).data;
  if (parsed === undefined || parsed.negotiation_id !== negotiationId) return undefined;
  const { event_type: type, event_id, data } = parsed;
  if (!Object.hasOwn(shapes, type)) return undefined;
  const read = shapes[type as FeedEventType].safeParse(data);
  return read.success ? ({ type, id: event_id, data: read.data } as FeedEvent) : undefined;
}
