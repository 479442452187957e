declare module "undici/lib/core/socks5-client.js" {
  import type { EventEmitter } from "node:events";
  import type { Socket } from "node:net";

  class Socks5Client extends EventEmitter {
    constructor(socket: Socket, account: { username: string; password: string });
    readonly onSocketError: (error: Error) => void;
    readonly onSocketClose: () => void;
    handshake(): void;
    connect(host: string, port: number): void;
  }
  const all: { Socks5Client: typeof Socks5Client };
  export default all;
}
