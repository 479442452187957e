/** What stands in a worker of Vitest that waits for nothing; who comes to a server that listens has a socket of their own. */
const IDLE = new Set(["Timeout", "MessagePort", "PipeWrap", "TTYWrap", "FSEventWrap", "StatWatcher", "TCPServerWrap"]);

/** What Vitest itself keeps of the modules that it loads. `vi.dynamicImportSettled` asks the same, and takes a real timer. */
interface Loading {
  resolvingModules: Set<string>;
  evaluatedModules: { idToModuleMap: Map<string, { promise?: unknown; evaluated?: boolean }> };
}

const loading = (): Loading | undefined => (globalThis as { __vitest_worker__?: Loading }).__vitest_worker__;
/** How many modules there were when all of them were loaded. */
let loaded = 0;

/** Whether a module is on its way, which on a busy machine takes long: no time may pass for a test meanwhile. */
export function isModuleLoading(worker = loading()): boolean {
  if (worker === undefined) return false;
  const { resolvingModules, evaluatedModules } = worker;
  if (resolvingModules.size > 0) return true;
  if (evaluatedModules.idToModuleMap.size === loaded) return false;
  for (const { promise, evaluated } of evaluatedModules.idToModuleMap.values()) if (promise && !evaluated) return true;
  loaded = evaluatedModules.idToModuleMap.size;
  return false;
}

/** Whether a file is being read or written, which on a busy machine takes long, too. */
export const isFileAtWork = (): boolean => process.getActiveResourcesInfo().some((it) => it.startsWith("FSReq"));

/**
 * Whether something is on its way that takes real time: a module, a file, a socket, another process. Outside Vitest
 * nobody knows which modules are, so that something always may be. `isIdle`: what else the caller knows to wait for nothing.
 */
export function isRealAtWork(isIdle: (resource: string) => boolean = () => false): boolean {
  const worker = loading();
  return (
    worker === undefined ||
    isModuleLoading(worker) ||
    process.getActiveResourcesInfo().some((it) => !IDLE.has(it) && !isIdle(it))
  );
}
