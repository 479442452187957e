import type { Clock } from "../clock.ts";
import { hostLabel } from "../home/origin.ts";
import type { Account } from "../mcp/account.ts";
import { collect, sourcesOf } from "../report/collect.ts";
import type { Asked } from "../report/page/report.ts";
import { SANITIZE_DEFAULTS } from "../safety/sanitize/options.ts";
import { textsForPerson } from "../text/index.ts";

interface ReportDeps {
  account: Account;
  clock: Clock;
  lang: "zh" | "en";
  lowScore: number;
  timeOf: (atMs: number) => string;
  asked: Asked;
}

/** Limits that no offer or plan written for people reaches, because a person reads these texts whole. */
const LIMITS = { offerChars: 20_000, planChars: 64_000, nameChars: 80 };

/**
 * Writes a report about a negotiation as one HTML page, as `towow-mcp report` does. Contact data is masked, because the
 * file may be passed on.
 */
export async function reportOf(
  id: string,
  { account, clock, lang, lowScore, timeOf, asked }: ReportDeps,
): Promise<string> {
  const { negotiations, origin, userId } = account;
  const negotiation = await negotiations.get(id);
  const reader = { ownId: await userId(), observedAt: clock.now(), texts: textsForPerson(lang), lowScore, timeOf };
  const { value } = await collect(await sourcesOf(negotiation, negotiations, reader), {
    ...SANITIZE_DEFAULTS,
    limits: LIMITS,
    redactPii: true,
  });
  const { reportPage } = await import("../report/page/report.ts");
  const about = {
    lang,
    host: hostLabel(origin, textsForPerson(lang)),
    madeAt: clock.now(),
    timeOf,
    needs: [],
    isMasked: true,
    asked,
  };
  return reportPage([value], about);
}
