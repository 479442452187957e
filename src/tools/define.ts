import * as z from "zod";
import type { AskContext, HandlerResult, PermissionRequest } from "../ask/context.ts";
import type { BackendClient } from "../backend/client.ts";
import type { LastIds } from "../home/last-ids.ts";
import { once } from "../once.ts";
import { envelopeOf } from "../result/tool-result.ts";
import type { Mode } from "../session/session.ts";
import type { Warning } from "../text/warnings.ts";

/** Holds the five behaviour flags of the tool standard. Everything else about a tool's risk is derived from them. */
interface Flags {
  /** It changes nothing, here or elsewhere. */
  read_only: boolean;
  /** The same call again changes nothing more. */
  idempotent: boolean;
  /** It ends or replaces what is there. */
  destructive: boolean;
  /** It reaches the network, where other people are. */
  open_world: boolean;
  /** Others may read what it is given. */
  sensitive_sink: boolean;
}

/** A handler works with this. It holds no client library, no file and no clock of the machine. */
export interface ToolContext extends AskContext {
  mode: Mode;
  /** The call reached this program in this way. */
  transport: "stdio" | "http" | "command_line" | "room";
  /** Identifies this call in the log, in the result's `_meta`, and in every request to the backend that it causes. */
  requestId: string;
  /** The host of the backend; null without one. */
  provider: string | null;
  backend: () => Promise<BackendClient>;
  /**
   * Keeps the last scene and negotiation as defaults. If the home is not writable, the default is lost, but the call
   * succeeds.
   */
  remember: (values: LastIds) => Promise<void>;
  setMode: (mode: Mode, persist: boolean) => Promise<void>;
  /**
   * Returns codes that a result owes the person once a session, such as a config file set aside or a backend without
   * tokens.
   */
  notices: () => Promise<Warning[]>;
  /** From here on an error is about this negotiation, and says so. */
  concerns: (negotiationId: string) => void;
  /** Returns what `concerns` was given. */
  subject: () => string | undefined;
  /** Returns the text of `prompts/<name>.<lang>.md`, in the person's language. */
  prompt: (name: string) => Promise<string>;
  library: Library;
  /** Returns another tool's declaration. */
  toolNamed: (name: string) => Tool;
}

/** Offers clients without resources what can be read by address. */
export interface Library {
  list(): {
    resources: { uri: string; title: string; description: string }[];
    templates: { uri_template: string; title: string; description: string }[];
  };
  /** @throws `tool.input.invalid.address`, or what the backend answered */
  read(uri: string): Promise<{ text: string; mimeType: string; holdsOthersText: boolean }>;
}

/** These tools have a purpose of their own and are listed where their set, or all, is chosen (agent layer §6). */
type Toolset = "docs" | "reports";

/** Returns what the person must agree to before it is sent, or undefined when nothing need be asked now. */
type Asks<Args> = "nothing" | "pause" | "handler" | ((args: Args, ctx: ToolContext) => Promise<Asked | undefined>);

/** Holds the text that they must agree to, or the result where nothing is left to do. */
type Asked = PermissionRequest | Extract<HandlerResult<unknown>, { data: unknown }>;

/** Says what a tool may do. Its flags follow from this: reading, here or elsewhere, always has the same ones. */
type Behaviour<Args> =
  | { kind: "read" | "local_read" }
  | ({
      kind: "write";
      /**
       * Says what the person is asked before anything is sent: nothing, the formulation pause or another question of
       * the handler's, or the text that this returns (agent layer §1).
       */
      asks: Asks<Args>;
    } & Omit<Flags, "read_only">);

/** Declares a tool as it stands, beside its schemas. */
interface Declared {
  /** Calls, settings and the log use this name, and its file has it too. */
  name: string;
  /** A model reads this when it chooses among tools. */
  description: string;
  /** The tool is listed in these modes. Without any, only `all` and the sets for a purpose list it. */
  modes: readonly Mode[];
  /** The tool belongs to these sets for a purpose. */
  toolsets?: readonly Toolset[];
  /** An answer may be given again for this long, in milliseconds. Only reads have this. */
  cacheMs?: number;
  /** A call may open a negotiation, which a budget can limit. */
  startsNegotiation?: true;
  /** The handler checks the budget itself, because only some of its reads cost a request. */
  checksBudget?: true;
  /** A client with a person before it should ask them at each call, even where the tool was allowed. */
  promptsPerson?: true;
}

/** A tool's file declares its arguments, its result and what it does. */
export type ToolSpec<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = Declared &
  Behaviour<z.output<I>> & {
    /** Returns the schema of the arguments, made once, when it is first needed. */
    input: () => I;
    /** Returns the schema of a result's data, inside the envelope. */
    output: () => O;
    handler: (args: z.output<I>, ctx: ToolContext) => Promise<HandlerResult<z.output<O>>>;
  };

/**
 * A tool is declared once. Its schemas, and what clients see of them, are made on first use: a call needs one tool's
 * schemas, and most programs need no list that is not cached (`app/handshake.ts`).
 */
export interface Tool extends Declared, Flags {
  /** Says what the person is asked before anything is sent. A tool that only reads asks nothing. */
  asks: Asks<never>;
  input: z.ZodObject;
  /** Describes the whole result, with this tool's data. */
  envelope: z.ZodType;
  /** Shows the arguments as clients see them. */
  inputSchema: JsonSchema;
  /** Shows the whole result as clients see it. */
  outputSchema: JsonSchema;
  handler: (args: never, ctx: ToolContext) => Promise<HandlerResult<unknown>>;
}

export type JsonSchema = { type: "object"; [key: string]: unknown };

/** Declares a tool. Its flags are derived from its `kind`, and its schemas are built on first use (agent layer §1). */
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
 * Returns what clients see of a schema. Inputs say that they take no other argument. Outputs need not, and leave out
 * descriptions: no client shows a model these words, which would cost each client some thousand bytes.
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
