import { createHash, randomBytes } from "node:crypto";
import type { Duplex, Writable } from "node:stream";

/** The most that one connection may cost. No feed of a negotiation is near these limits. */
const MAX_FRAME_BYTES = 1024 * 1024;
const MAX_FRAGMENTS = 1_000;
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_FRAMES = 2_000;

export interface FrameListener {
  /** Called with each text frame. */
  frame: (text: string) => void;
  /** Called once, when nothing more comes, because the other side left or sent too much. */
  closed: () => void;
}

/** Opens an undici connection that then speaks another protocol. */
export type Upgrade = (
  url: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
) => Promise<{ socket: Duplex; headers: Record<string, string | string[] | undefined> }>;

/** The part of `ws` that reads frames, which its types leave out. */
type Receiver = Writable & {
  on(event: "message", listener: (data: Buffer, isBinary: boolean) => void): Receiver;
  on(event: "ping", listener: (data: Buffer) => void): Receiver;
  on(event: "conclude", listener: () => void): Receiver;
};
type ReceiverClass = new (options: { isServer: false; maxPayload: number; maxFragments: number }) => Receiver;
type SenderClass = new (socket: Duplex, extensions: object) => { pong(data: Buffer, mask: boolean): void };

const ACCEPT_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

class NotAWebSocket extends Error {}

/**
 * Connects to a WebSocket that is only listened to, over undici's connections, so that it uses the same proxies and
 * certificates as every request. `ws` reads the frames, because it can cut off a side that floods at once, which undici's own
 * WebSocket cannot. Resolves with the function that closes the connection.
 * @throws if there is no such socket, or the signal's reason
 */
export async function listen(
  url: URL,
  headers: Record<string, string>,
  upgrade: Upgrade,
  listener: FrameListener,
  signal: AbortSignal,
): Promise<() => void> {
  const { Receiver, Sender } = (await import("ws")) as unknown as { Receiver: ReceiverClass; Sender: SenderClass };
  const key = randomBytes(16).toString("base64");
  const opened = await upgrade(url, { ...headers, "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13" }, signal);
  const { socket } = opened;
  socket.on("error", () => socket.destroy());
  const accept = createHash("sha1").update(`${key}${ACCEPT_GUID}`).digest("base64");
  if (opened.headers["sec-websocket-accept"] !== accept) {
    socket.destroy();
    throw new NotAWebSocket();
  }
  const receiver = new Receiver({ isServer: false, maxPayload: MAX_FRAME_BYTES, maxFragments: MAX_FRAGMENTS });
  const sender = new Sender(socket, {});
  let [bytes, frames, isOpen] = [0, 0, true];
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    socket.destroy();
    listener.closed();
  };
  socket.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) end();
  });
  socket.on("close", end);
  receiver.on("message", (data, isBinary) => {
    frames += 1;
    if (frames > MAX_FRAMES) end();
    else if (isOpen && !isBinary) listener.frame(data.toString("utf8"));
  });
  receiver.on("ping", (data) => isOpen && sender.pong(data, true));
  receiver.on("conclude", end);
  receiver.on("error", end);
  socket.pipe(receiver);
  return end;
}
