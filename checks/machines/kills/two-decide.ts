import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMockBackend, type MockBackend } from "../../../mock-backend/main.ts";
import { Dice } from "../../../test/faults/sim.ts";
import { sleep } from "../../harness.ts";
import type { Bench } from "./bench.ts";
import { type Result, Server } from "./server.ts";
import { judgeTelling } from "./telling.ts";

const TEXT = "Wants a designer for a hospital queue pilot.";
const EDITED = "Wants a nurse instead.";
const KINDS = ["accept", "edit", "reject"] as const;
type Kind = (typeof KINDS)[number];
const POINT = "two decide at once";

interface Decided {
  kind: Kind;
  /** What the tool answered; undefined while it has not, or when its server was killed first. */
  result: Result;
}

/** Two programs of different versions on one home decide about one pause at once; then one or both are killed. */
export async function twoDecide(seed: number, { builds, report, deadlineS }: Bench, old: string): Promise<void> {
  const dice = new Dice(seed);
  const violate = (kind: string, detail: string) => report.violate(kind, POINT, seed, detail);
  const home = mkdtempSync(join(tmpdir(), "towow-kill-home-"));
  const mock = createMockBackend({ stepMs: 8, seed, confirmTimeoutMs: deadlineS * 1000 });
  mock.engine.formulateWith(() => TEXT);
  const { url } = await mock.listen();
  const env = {
    TOWOW_HOME: home,
    TOWOW_BACKEND_URL: url,
    TOWOW_CONFIRM_DEADLINE_S: String(deadlineS),
    TOWOW_WAIT_BUDGET_S: "3",
  };
  const isOldFirst = dice.chance(0.7);
  const first = new Server(isOldFirst ? old : builds.current, env);
  const servers = [first];
  try {
    const paused = await first.call("towow_demand", {
      intent: `Demand ${seed}`,
      scene_id: mock.scenes()[0]!.scene_id,
    });
    const params = paused?.data?.resume_with?.params;
    if (params?.confirmation_id === undefined) return violate("no pause", JSON.stringify(paused).slice(0, 300));
    const second = new Server(isOldFirst ? builds.current : old, env);
    servers.push(second);
    await second.call("towow_status", {});
    delaySome(mock, dice);

    const decide = async (server: Server): Promise<Decided> => {
      const kind = dice.pick(KINDS);
      await sleep(dice.int(0, 30));
      const decided: Decided = { kind, result: undefined };
      const args = { ...params, decision: kind, ...(kind === "edit" && { confirmed_text: EDITED }) };
      void server.call("towow_demand", args).then((result) => {
        decided.result = result;
      });
      return decided;
    };
    const decisions = await Promise.all([decide(first), decide(second)]);
    await sleep(dice.int(0, 600));
    for (const server of dice.pick([[first], [second], [first, second], []])) {
      await server.kill();
      report.killed(POINT);
    }
    mock.faults.clear();

    const heir = new Server(builds.current, env);
    servers.push(heir);
    await heir.call("towow_status", {});
    const [n] = mock.negotiations();
    await sleep(Math.max(0, (n!.times.formulated ?? 0) + deadlineS * 1000 + 400 - Date.now()));
    judge(mock, decisions, violate);
    const agreed = textsOf(decisions);
    await judgeTelling(heir, { mock, id: n!.negotiation_id, agreed, deadlineS, violate });
    const end = mock.negotiations()[0]!;
    report.count(
      `two decided, ${isOldFirst ? "old" : "new"} began: ${end.cancelled ? "cancelled" : `confirmed by ${end.confirmedBy}`}`,
    );
  } catch (error) {
    violate("harness", String((error as Error).stack));
  } finally {
    for (const server of servers) await server.kill();
    await mock.close();
    rmSync(home, { recursive: true, force: true });
  }
}

function delaySome(mock: MockBackend, dice: Dice): void {
  for (const route of ["confirm", "action"] as const)
    if (dice.chance(0.5))
      mock.faults.add({ route, kind: "delay", delayMs: 300, delayWhen: dice.pick(["before", "after"] as const) });
}

/** The texts that somebody has said yes to. */
const textsOf = (decisions: readonly Decided[]): string[] =>
  decisions.flatMap(({ kind }) => (kind === "reject" ? [] : [kind === "edit" ? EDITED : TEXT]));

function judge(mock: MockBackend, decisions: Decided[], violate: (kind: string, detail: string) => void): void {
  const [n, ...others] = mock.negotiations();
  if (n === undefined) return;
  const requests = mock.journal
    .filter((e) => /\/(confirm|action)$/.test(e.path))
    .map((e) => ({ to: e.path.split("/").pop(), at: e.at, status: e.status, body: e.body }));
  const about = JSON.stringify({
    requests,
    end: [n.state, n.confirmedBy, n.cancelled],
    decisions: decisions.map(({ kind, result }) => [kind, result?.error?.code, result?.data?.decision]),
  });
  const found = (kind: string) => violate(kind, about);
  if (others.length > 0) found("more than one negotiation");
  if (n.confirmCount > 1) found("confirmed twice");
  const took = (to: string) => requests.some((r) => r.to === to && r.status === 200);
  if (took("confirm") && took("action")) found("a confirm and a cancel took effect");
  const texts = textsOf(decisions);
  for (const { to, body } of requests)
    if (to === "confirm" && !texts.includes((body as { confirmed_text?: string }).confirmed_text ?? TEXT))
      found("confirmed without a decision");
  const done = new Set(decisions.map(({ result }) => (result?.error === null ? result.data.decision : undefined)));
  if (done.has("reject") && !n.cancelled) found("said rejected, and it is not cancelled");
  if ((done.has("accept") || done.has("edit")) && n.confirmedBy !== "user") found("said confirmed, and it is not");
  if (done.has("reject") && (done.has("accept") || done.has("edit"))) found("two decisions reported as carried out");
  if (n.confirmedBy === "timeout" && !decisions.some(({ kind }) => kind === "accept"))
    found("auto-confirmed, and nobody accepted that text");
}
