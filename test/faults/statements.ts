import type { JournalEntry, NegotiationView } from "../../mock-backend/main.ts";
import { falsehoodsIn, type Statement } from "./claims.ts";
import type { Decisions } from "./decisions.ts";
import type { Span } from "./machine.ts";
import type { Called, Program } from "./program.ts";

/** After which programs think that the backend confirms by itself. */
const DEADLINE_MS = 300_000;

/** What results said, kept until it is known what was true. */
export class Statements {
  readonly #all: Statement[] = [];

  add(p: Program, tool: string, { result, progress }: Called, span: Span): void {
    const { data, error, summary, status, warnings } = result;
    const id: unknown = data?.negotiation_id;
    if (typeof id !== "string") return;
    const text = [summary, error?.message, error?.recovery_suggestion, ...progress].filter(Boolean).join("\n");
    const failed = error !== null;
    this.#all.push({ id, tool, pid: p.pid, from: span.from, at: span.to, text, data, status, warnings, failed });
  }

  /** Everything false that was said of these negotiations; their end is known. */
  *falsehoods(
    negotiations: readonly NegotiationView[],
    decisions: Decisions,
    processes: readonly Program[],
    { journal, isLeft }: { journal: readonly JournalEntry[]; isLeft?: boolean | undefined },
  ): Generator<{ name: string; said: Statement }> {
    const madeAt = new Map(journal.flatMap(({ made, at }) => (made === undefined ? [] : [[made, at] as const])));
    const byId = new Map(negotiations.map((n) => [n.negotiation_id, n]));
    const endedBefore = (pid: number, at: number) =>
      (processes.find((p) => p.pid === pid)?.endedAt ?? Number.POSITIVE_INFINITY) < at;
    for (const said of this.#all) {
      const negotiation = byId.get(said.id);
      if (negotiation === undefined) continue;
      const deadlineAt = (madeAt.get(said.id) ?? 0) + DEADLINE_MS;
      const truth = { negotiation, decisions: decisions.of(said.id), deadlineAt, isLeft, endedBefore };
      for (const name of falsehoodsIn(said, truth)) yield { name, said };
    }
  }
}

interface OpenEntry {
  negotiation_id: string;
  unchecked?: true;
}

/** A program waits three seconds for an answer to such a look. */
const LOOK_MS = 3_000;

const isPlain = ({ at, answeredAt = Number.POSITIVE_INFINITY, status, fault }: JournalEntry): boolean =>
  status === 200 && (fault === undefined || fault === "delay") && answeredAt - at < LOOK_MS;

/** Pauses that a result says it could not look after, though the backend answered every look since its call began. */
export const falselyUnchecked = ({ result: { data } }: Called, from: number, journal: readonly JournalEntry[]) =>
  ((data?.open ?? []) as OpenEntry[])
    .filter((one) => one.unchecked)
    .map(({ negotiation_id: id }) => id)
    .filter((id) => {
      const looks = journal.filter((e) => e.at >= from && e.method === "GET" && e.path.endsWith(id));
      return looks.length > 0 && looks.every(isPlain);
    });

/** Pauses that a result says are open, though they had moved on before its call began. */
export const staleIn = ({ result: { data } }: Called, from: number, all: readonly NegotiationView[]): string[] =>
  ((data?.open ?? []) as OpenEntry[])
    .filter((one) => !one.unchecked)
    .map(({ negotiation_id: id }) => id)
    .filter((id) => {
      const n = all.find((one) => one.negotiation_id === id);
      return (n?.times.encoding ?? Number.POSITIVE_INFINITY) < from;
    });
