/** What a page sends to its room: the button's value in `do`, and the fields. */
export type RoomForm = Readonly<Record<string, string>>;

/** The room's answer, as HTTP would give it. */
export interface RoomReply {
  status: number;
  json: () => Promise<unknown>;
}

/** How a page and its room talk: over HTTP, or through the chat that draws the page. */
export interface Transport {
  /** Sends a form. @throws if nobody answers, or if `signal` aborts the request */
  act(form: RoomForm, signal: AbortSignal): Promise<RoomReply>;
  /** Sends what is typed when the page may go away. Nobody waits for an answer. */
  part(form: RoomForm): void;
  /** Starts to show whatever the room shows. */
  follow(): void;
  /** Leaves the page, because its room is gone and the page holds no words that exist nowhere else. */
  leave(): void;
}

/** The page's transport, which is set before anything is drawn. */
export let transport: Transport;

export function setTransport(mine: Transport): void {
  transport = mine;
}
