import {
  type ClientCapabilities,
  createRequestStateCodec,
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ServerDeps } from "../../src/mcp/server-deps.ts";

/** What a fixture of the suite works with: the request's context, and what the server under test stands on. */
export interface FixtureContext {
  args: Record<string, unknown>;
  ctx: ServerContext;
  capabilities: ClientCapabilities | undefined;
  /** Signs state as the server under test does, which checks it. */
  mint: (state: object) => Promise<string>;
  state: () => Record<string, unknown> | undefined;
  /** A call of one of the server's own tools. */
  callTool: (name: string, args: object) => Promise<Record<string, unknown>>;
}

export interface Fixture {
  description: string;
  inputSchema?: Record<string, unknown>;
  call: (context: FixtureContext) => Promise<object> | object;
}

const DAY_S = 86_400;

/** The same key as the server's: its own check accepts it, and refuses what was changed on the way. */
export const codecOf = ({ stateKey }: ServerDeps) =>
  createRequestStateCodec<Record<string, unknown>>({ key: stateKey, ttlSeconds: DAY_S });

export const text = (words: string) => ({ content: [{ type: "text", text: words }] });

export const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A form with one field. */
export const ask = (message: string, field: string, type = "string") =>
  inputRequired.elicit({
    mode: "form",
    message,
    requestedSchema: { type: "object", properties: { [field]: { type } }, required: [field] } as never,
  });

/** @throws the protocol's error for a client that did not declare what a fixture needs */
export function needs(capabilities: ClientCapabilities | undefined, required: ClientCapabilities): void {
  for (const [name, value] of Object.entries(required)) {
    const declared = (capabilities as Record<string, unknown> | undefined)?.[name];
    const missing = Object.keys(value as object).some((inner) => !(declared && inner in (declared as object)));
    if (declared === undefined || missing)
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: required });
  }
}

export const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

/** One red pixel, and a header of a sound without samples. */
export const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
export const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
