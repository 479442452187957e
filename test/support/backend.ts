import { onTestFinished } from "vitest";
import { createMockBackend, type MockBackend, type MockOptions } from "../../mock-backend/main.ts";

export interface RunningMock extends MockBackend {
  url: string;
  sceneId: string;
}

/** The mock on an ephemeral loopback port, quick, with one scene of the sample data to join. */
export async function runningMock(options: MockOptions = {}): Promise<RunningMock> {
  const mock = createMockBackend({ stepMs: 10, seed: 7, ...options });
  const { url } = await mock.listen();
  onTestFinished(() => mock.close());
  return Object.assign(mock, { url, sceneId: mock.scenes()[0]?.scene_id ?? "" });
}

/** The requests of one kind that reached the mock. */
export const requests = (mock: MockBackend, method: string, pattern: RegExp) =>
  mock.journal.filter((entry) => entry.method === method && pattern.test(entry.path));
export const confirms = (mock: MockBackend) => requests(mock, "POST", /\/confirm$/);
export const submits = (mock: MockBackend) => requests(mock, "POST", /\/negotiations\/submit$/);
export const cancels = (mock: MockBackend) => requests(mock, "POST", /\/action$/);
