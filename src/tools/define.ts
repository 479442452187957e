import * as z from "zod";
import type { AskContext, HandlerResult, PermissionRequest } from "../ask/context.ts";
import type { BackendClient } from "../backend/client.ts";
import type { LastIds } from "../home/last-ids.ts";
import { once } from "../once.ts";
import { envelopeOf } from "../result/tool-result.ts";
import type { Mode } from "../session/session.ts";
import type { Warning } from "../text/warnings.ts";

/** The five behaviour flags of the tool standard; everything else about a tool's risk is derived from them. */
interface Flags {
  /** It changes nothing, here or elsewhere. */
  read_only: boolean;
  /** The same call again changes nothing more. */
  idempotent: boolean;
  /** It ends or replaces what is there. */
  destructive: boolean;
  /** It reaches the network, where others are. */
  open_world: boolean;
  /** What it is given may be read by others. */
  sensitive_sink: boolean;
}

/** What a handler works with. It holds no client library, no file and no clock of the machine. */
export interface ToolContext extends AskContext {
  mode: Mode;
  /** How the call reached this program. */
  transport: "stdio" | "http" | "command_line" | "room";
  /** Of this call: in the log, in the result's `_meta`, and in every request to the backend that it causes. */
  requestId: string;
  /** The host of the backend; null without one. */
  provider: string | null;
  backend: () => Promise<BackendClient>;
  /** Keeps the last scene and negotiation as defaults. Where the home is not writable the default is lost, and the call still succeeds. */
  remember: (values: LastIds) => Promise<void>;
  setMode: (mode: Mode, persist: boolean) => Promise<void>;
  /** Codes that every result owes the person once a session: a config file set aside, a backend without tokens. */
  notices: () => Promise<Warning[]>;
  /** From here on an error is about this negotiation, and says so. */
  concerns: (negotiationId: string) => void;
  /** What `concerns` was given. */
  subject: () => string | undefined;
  /** The text of `prompts/<name>.<lang>.md`, in the person's language. */
  prompt: (name: string) => Promise<string>;
  library: Library;
  /** Another tool's declaration. */
  toolNamed: (name: string) => Tool;
}

/** What can be read by address, for clients without resources. */
export interface Library {
  list(): {
    resources: { uri: string; title: string; description: string }[];
    templates: { uri_template: string; title: string; description: string }[];
  };
  /** @throws `tool.input.invalid.address`, or what the backend answered */
  read(uri: string): Promise<{ text: string; mimeType: string; holdsOthersText: boolean }>;
}

/** Tools for a purpose of their own, listed where their set, or all, is chosen (agent layer §6). */
type Toolset = "docs" | "reports";

/** What the person must agree to before it is sent; undefined when nothing need be asked now. */
type Asks<Args> = "nothing" | "pause" | "handler" | ((args: Args, ctx: ToolContext) => Promise<Asked | undefined>);

/** The text that they must agree to; or the result, where nothing is left to be done. */
type Asked = PermissionRequest | Extract<HandlerResult<unknown>, { data: unknown }>;

/** What a tool may do, from which its flags follow: reading, here alone or elsewhere, is always the same. */
type Behaviour<Args> =
  | { kind: "read" | "local_read" }
  | ({
      kind: "write";
      /**
       * What the person is asked before anything is sent: nothing, the formulation pause or what else the handler asks,
       * or the text that this gives (agent layer §1).
       */
      asks: Asks<Args>;
    } & Omit<Flags, "read_only">);

/** What a tool says of itself as it stands, beside its schemas. */
interface Declared {
  /** How calls, settings and the log name it; its file has the same name. */
  name: string;
  /** What a model reads when it chooses among tools. */
  description: string;
  /** The modes whose list has it. With none, only `all` and the sets for a purpose have it. */
  modes: readonly Mode[];
  /** The sets for a purpose that have it. */
  toolsets?: readonly Toolset[];
  /** How long an answer may be given again, in milliseconds; only for reads. */
  cacheMs?: number;
  /** Whether a call may open a negotiation, which a budget can limit. */
  startsNegotiation?: true;
  /** Its handler checks the budget itself: only some of what it reads costs a request. */
  checksBudget?: true;
  /** Whether a client with a person before it should ask them at each call, even where the tool was allowed. */
  promptsPerson?: true;
}

/** A tool as its file writes it down: what it is called with, what it gives, what it does. */
export type ToolSpec<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = Declared &
  Behaviour<z.output<I>> & {
    /** The arguments; made once, when they are first needed. */
    input: () => I;
    /** The data of a result, inside the envelope. */
    output: () => O;
    handler: (args: z.output<I>, ctx: ToolContext) => Promise<HandlerResult<z.output<O>>>;
  };

/**
 * One tool, declared once. Its schemas are made when they are first asked for, and so is what clients see of them: a call
 * needs those of one tool, and most programs are asked for no list that is not kept (`app/handshake.ts`).
 */
export interface Tool extends Declared, Flags {
  /** What the person is asked before anything is sent; nothing, for a tool that only reads. */
  asks: Asks<never>;
  input: z.ZodObject;
  /** The whole result, with the data that this tool gives. */
  envelope: z.ZodType;
  /** The arguments as clients see them. */
  inputSchema: JsonSchema;
  /** The whole result as clients see it. */
  outputSchema: JsonSchema;
  handler: (args: never, ctx: ToolContext) => Promise<HandlerResult<unknown>>;
}

export type JsonSchema = { type: "object"; [key: string]: unknown };

/**
 * Declares a tool: its flags are derived from its `kind`, its schemas are built on first use (agent layer §1).
 */
export function defineTool<I extends z.ZodObject, O extends z.ZodType>(spec: ToolSpec<I, O>): Tool {
  const { input: makeInput, output: makeOutput, kind: _, ...rest } = spec;
  const input = once(makeInput);
  const envelope = once(() => envelopeOf(makeOutput()));
  const inputSchema = once(() => schemaOf(input(), "input"));
  const outputSchema = once(() => schemaOf(envelope(), "output"));
  return {
    ...rest,
    ...behaviourOf(spec),
    get input() {
      return input();
    },
    get envelope() {
      return envelope();
    },
    get inputSchema() {
      return inputSchema();
    },
    get outputSchema() {
      return outputSchema();
    },
  };
}

function behaviourOf(spec: Behaviour<never>): Flags & Pick<Tool, "asks"> {
  if (spec.kind === "write") {
    const { idempotent, destructive, open_world, sensitive_sink, asks } = spec;
    return { read_only: false, idempotent, destructive, open_world, sensitive_sink, asks };
  }
  const open_world = spec.kind === "read";
  return { read_only: true, idempotent: true, destructive: false, open_world, sensitive_sink: false, asks: "nothing" };
}

/**
 * What clients see of a schema. Inputs say that they take no other argument; of outputs that goes without saying, and
 * no client shows a model what their fields mean: such words, repeated for every tool, cost each client some thousand
 * bytes.
 */
function schemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ jsonSchema }) {
      delete jsonSchema.propertyNames; // Gemini refuses the whole request for one
      if (io === "input") return;
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      delete jsonSchema.description;
    },
  });
  return json as JsonSchema;
}
