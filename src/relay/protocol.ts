import * as z from "zod";
import { illFormedIn, jsonIn } from "../json.ts";

/** The version of the protocol, which stands in every envelope (seed 002 §3). */
const VERSION = "mvp-0.2";

/** The reasons why a message was not carried out (seed 002 §5), and when each is given. */
export const RELAY_ERRORS = {
  INVALID_MESSAGE:
    "It is not a JSON envelope of this version, its type is unknown, or something is missing in its payload.",
  SESSION_NOT_ACTIVE:
    "The session has not joined or started, has ended, has not been let in by the person, or another agent is already in this room.",
  NO_ACTIVE_SPEC: "The room's page has not been opened yet: nothing is on the screen.",
  UNKNOWN_TOOL: "There is no such tool, or not in this stage: only what `toolSchema` lists can be called now.",
  INVALID_PARAMS: "The tool's parameters are wrong, or name what is not on the screen.",
  TOOL_EXECUTION_FAILED: "The tool was called and failed, for example because the backend does not answer.",
} as const;

export type RelayErrorCode = keyof typeof RELAY_ERRORS;

export class RelayError extends Error {
  readonly code: RelayErrorCode;

  constructor(code: RelayErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

const name = z.string().min(1).max(200);
const label = z.string().max(200);
const sentence = z.string().min(1).max(1_000);

/**
 * The payloads that an agent sends, by message type (seed 002 §4.0 and §4.1). Fields that this version does not know
 * are ignored.
 */
export const FROM_AGENT = {
  "relay.join": z.object({ role: z.enum(["agent", "host"]), sessionId: name, name: label.optional() }),
  "session.start": z.object({ studyId: label.optional(), participantId: label.optional() }),
  "snapshot.get": z.object({}),
  "tool.call": z.object({
    toolName: name,
    params: z.record(z.string(), z.unknown()).default({}),
    /** The reason, which is shown to the person. */
    reason: sentence,
  }),
  "agent.message": z.object({ text: z.string().min(1).max(4_000) }),
  "session.end": z.object({ reason: label.optional() }),
} as const;

const screen = {
  uiSpec: z.record(z.string(), z.unknown()),
  messageHistory: z.array(z.record(z.string(), z.unknown())),
  toolSchema: z.array(z.record(z.string(), z.unknown())),
};

/** The payloads that are sent to an agent, by message type (seed 002 §4.0 and §4.2). */
export const TO_AGENT = {
  "relay.joined": z.object({ role: z.literal("agent"), sessionId: z.string() }),
  "session.started": z.object({ sessionId: z.string() }),
  "snapshot.state": z.object({ sessionId: z.string(), ...screen }),
  "tool.result": z.object({ ok: z.literal(true), toolName: z.string(), uiSpec: screen.uiSpec.optional() }),
  "state.updated": z.object({ source: z.literal("host"), ...screen }),
  "user.message": z.object({ text: z.string(), stage: z.string() }),
  "session.ended": z.object({ sessionId: z.string(), logFile: z.string(), stateReset: z.boolean() }),
  error: z.object({ code: z.enum(Object.keys(RELAY_ERRORS) as [RelayErrorCode]), message: z.string() }),
} as const;

const envelope = z.object({
  v: z.literal(VERSION),
  type: z.string(),
  id: z.string().max(200).optional(),
  replyTo: z.string().max(200).optional(),
  payload: z.record(z.string(), z.unknown()),
});

type FromAgent = typeof FROM_AGENT;
/** A message from an agent, after its payload was checked. */
export type AgentMessage = {
  [T in keyof FromAgent]: { type: T; id: string | undefined; payload: z.output<FromAgent[T]> };
}[keyof FromAgent];

type ToAgent = typeof TO_AGENT;
/** A message to an agent, without its envelope. */
export type HostMessage = { [T in keyof ToAgent]: { type: T; payload: z.input<ToAgent[T]> } }[keyof ToAgent];

/**
 * Reads one frame.
 * @throws RelayError INVALID_MESSAGE or, for the parameters of a tool call, INVALID_PARAMS
 */
export function readMessage(text: string): AgentMessage {
  const read = envelope.safeParse(jsonIn(text));
  if (!read.success) throw new RelayError("INVALID_MESSAGE", `not an envelope of ${VERSION}: ${firstOf(read.error)}`);
  const { type, id, payload } = read.data;
  if (!Object.hasOwn(FROM_AGENT, type))
    throw new RelayError("INVALID_MESSAGE", `unknown type ${JSON.stringify(type.slice(0, 80))}`);
  const message = FROM_AGENT[type as keyof FromAgent].safeParse(payload);
  if (!message.success) {
    const isParams = type === "tool.call" && message.error.issues[0]?.path[0] === "params";
    throw new RelayError(isParams ? "INVALID_PARAMS" : "INVALID_MESSAGE", `${type}: ${firstOf(message.error)}`);
  }
  const broken = illFormedIn(message.data);
  if (broken !== undefined) throw new RelayError("INVALID_MESSAGE", `${type}: ${broken} holds half a character`);
  return { type, id, payload: message.data } as AgentMessage;
}

/** Returns the id of a frame, whatever else is wrong with the frame, so that an answer can name that id. */
export function idOf(text: string): string | undefined {
  const id = (jsonIn(text) as { id?: unknown } | null | undefined)?.id;
  return typeof id === "string" && id.length <= 200 ? id : undefined;
}

/** Returns a message as one frame. */
export const frame = (message: HostMessage, replyTo?: string): string =>
  JSON.stringify({
    v: VERSION,
    type: message.type,
    ...(replyTo !== undefined && { replyTo }),
    payload: message.payload,
  });

/** The parts of a screen, each as JSON. */
export type ScreenParts = Readonly<Partial<Record<keyof typeof screen, string>>>;

/** Returns one frame that carries a screen. The parts are written as JSON once, for any number of frames. */
export function screenFrame(
  type: "snapshot.state" | "tool.result" | "state.updated",
  payload: Readonly<Record<string, unknown>>,
  parts: ScreenParts,
  replyTo?: string,
): string {
  const head = JSON.stringify({ v: VERSION, type, ...(replyTo !== undefined && { replyTo }) }).slice(0, -1);
  const fields = Object.entries(payload).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  const shown = Object.entries(parts).map(([name, json]) => `"${name}":${json}`);
  return `${head},"payload":{${[...fields, ...shown].join(",")}}}`;
}

function firstOf({ issues: [issue] }: z.ZodError): string {
  const path = issue?.path.join(".") ?? "";
  return `${path === "" ? "" : `${path}: `}${issue?.message ?? "wrong"}`.slice(0, 300);
}
