import * as z from "zod";
import type { Approvals } from "../agent/approvals.ts";
import type { ResumeWith } from "../agent/errors.ts";
import type { ApprovalPages, DecisionAnswer, FormAnswer, Question } from "../agent/human.ts";
import type { SanitizedMeta } from "../agent/sanitize-options.ts";
import type { Ledger, ResultCache, ShownMarks } from "../agent/session.ts";
import { envelopeOf, type Status } from "../agent/tool-result.ts";
import type { BackendClient } from "../backend/client.ts";
import type { Settings } from "../config/resolve.ts";
import type { Negotiations } from "../negotiation/service.ts";
import type { Texts } from "../text/index.ts";

export type Mode = "normal" | "developer";

/** The five behaviour flags of the tool standard; everything else about a tool's risk is derived from them. */
export interface Flags {
  read_only: boolean;
  idempotent: boolean;
  destructive: boolean;
  open_world: boolean;
  sensitive_sink: boolean;
}

/** What a handler works with. It holds no client library, no file and no clock of the machine. */
export interface ToolContext {
  settings: Settings;
  texts: Texts;
  mode: Mode;
  /** Of this call: in the log, in the result's `_meta`, and in every request to the backend that it causes. */
  requestId: string;
  /** Of the backend that this call is for; what is kept under a name of its own is kept with it. */
  origin: string;
  backend: () => Promise<BackendClient>;
  userId: () => Promise<string>;
  negotiations: Negotiations;
  /** Keeps the last scene and negotiation as defaults. A home that cannot be written costs the default, not the call. */
  remember: (values: { last_scene_id?: string; last_negotiation_id?: string }) => Promise<void>;
  setMode: (mode: Mode, persist: boolean) => Promise<void>;
  ledger: Ledger;
  cache: ResultCache;
  /** What this session last showed of each negotiation, as fingerprints. */
  shown: ShownMarks;
  /** Whether the client can put a form before the person. */
  canAsk: boolean;
  /** Whether the client can open a page for the person. */
  canOpenPage: boolean;
  /** The calls come from a command line: they never decide a pause, and no page outlives them (contract §6). */
  fromCommandLine: boolean;
  /** Absent where there is no address that the person could open. */
  pages: ApprovalPages | undefined;
  /** Opens an address in the person's own browser; false where there is none. */
  openBrowser: (url: string) => Promise<boolean>;
  /** The person's answer about a formulated text, when this call runs again after that question. */
  decision?: DecisionAnswer;
  /** The person's answer on whether this may be sent, when this call runs again after that question. */
  permission?: FormAnswer;
  approvals: Approvals;
  /** Codes that every result owes the person once a session: a config file set aside, a backend without tokens. */
  notices: () => Promise<string[]>;
  /** From here on an error is about this negotiation, and says so. */
  concerns: (negotiationId: string) => void;
  /** What `concerns` was given. */
  subject: () => string | undefined;
  progress: (message: string) => void;
  signal: AbortSignal;
  guidingPrompt: () => Promise<string>;
  /** Since this round of the call began, in milliseconds. */
  elapsedMs: () => number;
  /** A moment (ms since the epoch) as the person reads it. */
  timeOfDay: (atMs: number) => string;
  now: () => number;
}

/** A text that the person must agree to before it is sent; undefined when these arguments send nothing. */
export type Asks<Args> = "nothing" | "pause" | ((args: Args, texts: Texts) => Permission | undefined);

export interface Permission {
  title: string;
  /** Everything that would be sent, as a person reads it. */
  text: string;
  /** The same without line breaks, for a form where no page can be opened. */
  inOneLine?: string;
}

/** What a handler gives back: a result, or a question that must be put to the person first. */
export type Outcome<Data> =
  | {
      data: Data | null;
      summary: string;
      status?: Exclude<Status, "error">;
      warnings?: string[];
      /** JSON pointers to the fields of `data` that other agents wrote. */
      tainted?: string[];
      meta?: SanitizedMeta;
    }
  | { ask: Question };

export interface ToolSpec<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> extends Flags {
  name: string;
  description: string;
  modes: readonly Mode[];
  /**
   * What the person is asked before anything is sent: nothing, the formulation pause (which the handler opens), or the
   * text that this gives (agent layer §1).
   */
  asks: Asks<z.output<I>>;
  /** How long an answer may be given again, in milliseconds; only for reads. */
  cacheMs?: number;
  /** Whether a call may open a negotiation, which a budget can limit. */
  startsNegotiation?: true;
  input: I;
  output: O;
  handler: (args: z.output<I>, ctx: ToolContext) => Promise<Outcome<z.output<O>>>;
}

/** One tool, declared once. What clients see is derived here, at module level, so that a list costs nothing. */
export interface Tool extends Flags {
  name: string;
  description: string;
  modes: readonly Mode[];
  asks: Asks<never>;
  cacheMs?: number;
  startsNegotiation?: true;
  input: z.ZodObject;
  envelope: z.ZodType;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
  handler: (args: never, ctx: ToolContext) => Promise<Outcome<unknown>>;
}

export type JsonSchema = { type: "object"; [key: string]: unknown };

export function defineTool<I extends z.ZodObject, O extends z.ZodType>(spec: ToolSpec<I, O>): Tool {
  const { output, ...rest } = spec;
  const envelope = envelopeOf(output);
  return {
    ...rest,
    envelope,
    inputSchema: schemaOf(spec.input, "input"),
    outputSchema: schemaOf(envelope, "output"),
  };
}

/**
 * What clients see of a schema. Inputs say that they take no other argument; of outputs that goes without saying, and
 * the words for it, repeated for every object of every tool, cost each client some thousand bytes.
 */
function schemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ jsonSchema }) {
      if (io === "input") return;
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      delete jsonSchema.propertyNames;
    },
  });
  return json as JsonSchema;
}

export type { ResumeWith };
