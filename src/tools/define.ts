import * as z from "zod";
import type { AskContext, HandlerResult, PermissionRequest } from "../ask/context.ts";
import type { BackendClient } from "../backend/client.ts";
import type { LastIds } from "../home/last-ids.ts";
import { once } from "../once.ts";
import { envelopeOf } from "../result/tool-result.ts";
import type { Mode } from "../session/session.ts";
import type { Warning } from "../text/warnings.ts";

/** The five behaviour flags of the tool standard. Everything else about a tool's risk is derived from them. */
interface Flags {
  /** The tool changes nothing, here or elsewhere. */
  read_only: boolean;
  /** Repeating the same call changes nothing more. */
  idempotent: boolean;
  /** The tool ends or replaces something that exists. */
  destructive: boolean;
  /** The tool reaches the network, where other people are. */
  open_world: boolean;
  /** Others may read the tool's arguments. */
  sensitive_sink: boolean;
}

/** Everything that a handler works with. A handler reaches the backend, files and the clock only through this context. */
export interface ToolContext extends AskContext {
  mode: Mode;
  /** How the call reached this program. */
  transport: "stdio" | "http" | "command_line" | "room";
  /** Identifies this call in the log, in the result's `_meta`, and in every request to the backend that it causes. */
  requestId: string;
  /** The host of the backend. Null if there is no backend. */
  provider: string | null;
  backend: () => Promise<BackendClient>;
  /**
   * Keeps the last scene and negotiation as defaults. If the home is not writable, the default is lost, but the call succeeds.
   */
  remember: (values: LastIds) => Promise<void>;
  setMode: (mode: Mode, persist: boolean) => Promise<void>;
  /** Returns the codes of notices that the person gets once in a session, such as a config file that was set aside. */
  notices: () => Promise<Warning[]>;
  /** Notes the negotiation that the call is about, so that a later error can name it. */
  concerns: (negotiationId: string) => void;
  /** Returns the negotiation that `concerns` was called with. */
  subject: () => string | undefined;
  /** Reads the text of `prompts/<name>.<lang>.md`, in the person's language. */
  prompt: (name: string) => Promise<string>;
  library: Library;
  /** Returns another tool's declaration. */
  toolNamed: (name: string) => Tool;
}

/** What can be read by address, for clients without resources. */
export interface Library {
  list(): {
    resources: { uri: string; title: string; description: string }[];
    templates: { uri_template: string; title: string; description: string }[];
  };
  /** Reads one address. @throws `tool.input.invalid.address`, or what the backend answered */
  read(uri: string): Promise<{ text: string; mimeType: string; holdsOthersText: boolean }>;
}

/** The toolsets for a special purpose. Their tools are listed only if that toolset or `all` is chosen (agent layer §6). */
type Toolset = "docs" | "reports";

/**
 * How a tool asks the person before anything is sent: never, in the pause (the question about the network's text), in
 * its handler, or with the text that this function returns. The function returns undefined if nothing needs to be
 * asked now.
 */
type Asks<Args> = "nothing" | "pause" | "handler" | ((args: Args, ctx: ToolContext) => Promise<Asked | undefined>);

/** The text that the person must agree to, or the result if nothing is left to do. */
type Asked = PermissionRequest | Extract<HandlerResult<unknown>, { data: unknown }>;

/**
 * What a tool may do. A tool that only reads, here or elsewhere, always has the same flags, and a tool that writes
 * declares its own.
 */
type Behaviour<Args> =
  | { kind: "read" | "local_read" }
  | ({
      kind: "write";
      /** How the person is asked before anything is sent (agent layer §1). */
      asks: Asks<Args>;
    } & Omit<Flags, "read_only">);

/** The part of a declaration that the tool takes over unchanged. */
interface Declared {
  /** The name in calls, settings and the log. The tool's file has the same name. */
  name: string;
  /** What a model reads when it chooses among tools. */
  description: string;
  /** The modes whose lists show the tool. A tool without modes is listed only by `all` and by its toolsets. */
  modes: readonly Mode[];
  /** The toolsets that list the tool, besides `all`. */
  toolsets?: readonly Toolset[];
  /** How long an answer may be given again, in milliseconds. Only reads have this. */
  cacheMs?: number;
  /** Set if a call may open a negotiation, which a budget can limit. */
  startsNegotiation?: true;
  /** Set if the handler checks the budget itself, because only some of its reads cost a request. */
  checksBudget?: true;
  /** Set if a client should ask its person at each call, even after the person has allowed the tool. */
  promptsPerson?: true;
}

/** What a tool's file declares: its arguments, its result and what it does. */
export type ToolSpec<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = Declared &
  Behaviour<z.output<I>> & {
    /** Returns the schema of the arguments. The schema is built once, on first use. */
    input: () => I;
    /** Returns the schema of a result's data, which is put inside the envelope. */
    output: () => O;
    handler: (args: z.output<I>, ctx: ToolContext) => Promise<HandlerResult<z.output<O>>>;
  };

/**
 * A declared tool. The schemas are built on first use, because a call needs only the schemas of one tool, and most
 * programs answer the lists from a file (`app/handshake.ts`).
 */
export interface Tool extends Declared, Flags {
  /** How the person is asked before anything is sent. A tool that only reads asks nothing. */
  asks: Asks<never>;
  input: z.ZodObject;
  /** The schema of the whole result, with this tool's data. */
  envelope: z.ZodType;
  /** The arguments as clients see them. */
  inputSchema: JsonSchema;
  /** The whole result as clients see it. */
  outputSchema: JsonSchema;
  handler: (args: never, ctx: ToolContext) => Promise<HandlerResult<unknown>>;
}

export type JsonSchema = { type: "object"; [key: string]: unknown };

/** Declares a tool. The flags are derived from `kind`, and the schemas are built on first use (agent layer §1). */
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
 * Returns what clients see of a schema. Inputs say that they take no other argument. Outputs need not say so, and leave
 * out descriptions, because no client shows them to a model, and they would cost each client some thousand bytes.
 */
function schemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ jsonSchema }) {
      delete jsonSchema.propertyNames; // Gemini refuses the whole request for this one keyword.
      if (io === "input") return;
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      delete jsonSchema.description;
    },
  });
  return json as JsonSchema;
}
