import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The gauges, whose values are read only when an operator asks for the metrics. */
const GAUGES = {
  sessions: "Now: sessions",
  users: "Now: users",
  calls_running: "Now: calls that run, without those that wait for a person or the network",
  calls_waiting: "Now: calls that wait for a person or the network",
  calls_allowed: "Now: calls that may run; one more is refused with 503",
  loop_use: "Now: the share of the time in which the event loop is at work, from 0 to 1",
  pollers: "Now: pollers",
};
type Gauged = keyof typeof GAUGES;
type Gauges = Readonly<Record<Gauged, () => number>>;

/** Collects the metrics for an operator. Labels hold tools, codes and operations, but never an id, a user or a text. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #calls: Counter;
  readonly #errors: Counter;
  readonly #callSeconds: Histogram;
  readonly #requests: Counter;
  readonly #backend: Histogram;
  readonly #polls: Counter;
  #gauges: Gauges | undefined;

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    const counter = (name: string, help: string, labelNames: string[]) =>
      new Counter({ name, help, labelNames, registers });
    this.#calls = counter("towow_tool_calls_total", "Tool calls by tool and status", ["tool", "status"]);
    this.#errors = counter("towow_tool_errors_total", "Tool errors by code", ["code"]);
    this.#requests = counter("towow_http_requests_total", "HTTP requests by route and status", ["route", "status"]);
    this.#polls = counter("towow_polls_total", "Reads of negotiations by this replica's pollers", []);
    const histogram = (name: string, help: string, labelNames: string[]) =>
      new Histogram({ name, help, labelNames, buckets: SECONDS, registers });
    this.#callSeconds = histogram("towow_tool_call_seconds", "How long tool calls take", ["tool"]);
    this.#backend = histogram("towow_backend_request_seconds", "Backend requests by operation and outcome", [
      "operation",
      "outcome",
    ]);
    const gauges = () => this.#gauges;
    for (const [name, help] of Object.entries(GAUGES))
      new Gauge({
        name: `towow_${name}`,
        help,
        registers,
        collect() {
          this.set(gauges()?.[name as Gauged]() ?? 0);
        },
      });
  }

  /** Sets the functions that return the gauges' values. Until then, every gauge is zero. */
  observe(gauges: Gauges): void {
    this.#gauges = gauges;
  }

  call({ tool, status, code, seconds }: { tool: string; status: string; code?: string | undefined; seconds: number }) {
    this.#calls.inc({ tool, status });
    this.#callSeconds.observe({ tool }, seconds);
    if (code !== undefined) this.#errors.inc({ code });
  }

  request(route: string, status: number): void {
    this.#requests.inc({ route, status: String(status) });
  }

  backend(operation: string, outcome: string, seconds: number): void {
    this.#backend.observe({ operation, outcome }, seconds);
  }

  poll(): void {
    this.#polls.inc();
  }

  /** Returns the metrics that this program itself defines, for the table in the documentation. */
  own(): { name: string; help: string; labels: string[] }[] {
    const all = this.#registry.getMetricsAsArray() as unknown as { name: string; help: string; labelNames: string[] }[];
    return all
      .filter(({ name }) => name.startsWith("towow_"))
      .map(({ name, help, labelNames }) => ({ name, help, labels: labelNames }));
  }

  /** Returns the metrics in the Prometheus text format, with its content type. */
  async text(): Promise<{ body: string; contentType: string }> {
    return { body: await this.#registry.metrics(), contentType: this.#registry.contentType };
  }
}
