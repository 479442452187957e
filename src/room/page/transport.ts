/** A page sends this to its room: `do` and the fields, all of it text. */
export type RoomForm = Readonly<Record<string, string>>;

/** The room answers with this, as HTTP would. */
export interface RoomReply {
  status: number;
  json: () => Promise<unknown>;
}

/** A page and its room talk by this: over HTTP, or through the chat that draws the page. */
export interface Transport {
  /** Sends a form. @throws where nobody answers, or `signal` gives it up */
  act(form: RoomForm, signal: AbortSignal): Promise<RoomReply>;
  /** Sends what is typed on a page that goes, or may; nobody waits for an answer. */
  part(form: RoomForm): void;
  /** From now on the page shows what the room shows. */
  follow(): void;
  /** The room is no more, and no words stand on the page that nobody else has. */
  leave(): void;
}

/** The page talks by this one, which is set before anything is drawn. */
export let transport: Transport;

export function setTransport(mine: Transport): void {
  transport = mine;
}
