import type { ServerResponse } from "node:http";

/** What the model does next: call a tool, by the end of its name, or say something, which ends its turn. */
export type Move = { tool: string; input: Record<string, unknown> } | { say: string };

/** What the model was told of a call. */
export interface Told {
  isError: boolean;
  text: string;
}

/** A request of a client, whatever its form. */
export interface Conversation {
  /** How often the model has spoken. */
  turns: number;
  results: Told[];
  /** The tools that it may call, by the names that the client gives them. */
  tools: string[];
}

/** One model API, as far as a client needs it to go through a script. */
export interface Dialect {
  /** Whether a request is one of this API's. */
  matches: (path: string) => boolean;
  read: (body: never) => Conversation;
  /** Answers with a move, in which a tool stands by its full name. */
  write: (response: ServerResponse, body: never, move: Move, turn: number) => void;
}

export const json = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
};

/** An event stream; gives what writes one event. */
export function stream(response: ServerResponse): (data: unknown, event?: string) => void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  return (data, event) =>
    response.write(
      `${event ? `event: ${event}\n` : ""}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`,
    );
}

export const textOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : ((content ?? []) as { text?: string; content?: unknown }[])
        .map(({ text, content: inner }) => text ?? (inner === undefined ? "" : textOf(inner)))
        .join("\n");
