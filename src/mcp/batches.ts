import type { JSONRPCMessage } from "@modelcontextprotocol/server";

interface Batch {
  /** The ids that have no answer yet. */
  waiting: Set<unknown>;
  answers: JSONRPCMessage[];
}

/** The batches of one client that are being answered: their answers leave together, as one line. */
export class Batches {
  readonly #open = new Set<Batch>();

  open(ids: readonly unknown[]): void {
    if (ids.length > 0) this.#open.add({ waiting: new Set(ids), answers: [] });
  }

  /** What is sent in the place of `message`: itself, a whole batch, or nothing yet. */
  inPlaceOf(message: JSONRPCMessage): JSONRPCMessage | JSONRPCMessage[] | undefined {
    if ("method" in message) return message;
    const batch = this.#waitingFor(message.id);
    if (batch === undefined) return message;
    batch.answers.push(message);
    return this.#without(message.id, batch);
  }

  /** A request that its client has cancelled gets no answer. Gives the batch, where nothing else is missing. */
  cancelled(id: unknown): JSONRPCMessage[] | undefined {
    const batch = this.#waitingFor(id);
    return batch && this.#without(id, batch);
  }

  #waitingFor = (id: unknown): Batch | undefined => [...this.#open].find(({ waiting }) => waiting.has(id));

  #without(id: unknown, batch: Batch): JSONRPCMessage[] | undefined {
    batch.waiting.delete(id);
    if (batch.waiting.size > 0) return undefined;
    this.#open.delete(batch);
    return batch.answers.length > 0 ? batch.answers : undefined;
  }
}
