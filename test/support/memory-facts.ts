import type { Created, Entries, FactStore, NegotiationKey } from "../../src/negotiation/facts.ts";

const nameOf = ({ origin, id }: NegotiationKey): string => JSON.stringify([origin, id]);

/** Facts in memory, for tests. */
export function createMemoryFacts(): FactStore {
  const folders = new Map<string, { key: NegotiationKey; entries: Map<string, unknown> }>();
  const open = new Set<string>();
  const isNegotiation = (name: string) =>
    [...(folders.get(name)?.entries.keys() ?? [])].some((it) => !/^(attempt|answer)\./.test(it));
  return {
    async read(key): Promise<Entries> {
      return new Map(folders.get(nameOf(key))?.entries);
    },
    async create(key, name, value, index): Promise<Created> {
      const folder = folders.get(nameOf(key)) ?? { key, entries: new Map<string, unknown>() };
      folders.set(nameOf(key), folder);
      if (index === "open") open.add(nameOf(key));
      const created = !folder.entries.has(name);
      if (created) folder.entries.set(name, JSON.parse(JSON.stringify(value)));
      if (index === "close") open.delete(nameOf(key));
      return { created, current: folder.entries.get(name) };
    },
    async close(key) {
      open.delete(nameOf(key));
    },
    async listOpen() {
      return [...open].map((name) => folders.get(name)?.key).filter((key) => key !== undefined);
    },
    async list({ origin, id } = {}) {
      return [...folders]
        .filter(
          ([name, { key }]) =>
            isNegotiation(name) && (origin ?? key.origin) === key.origin && (id ?? key.id) === key.id,
        )
        .map(([, { key }]) => ({ ...key, writtenAt: Number.POSITIVE_INFINITY }));
    },
  };
}
