/** What stands in a worker of Vitest that waits for nothing; who comes to a server that listens has a socket of their own. */
const IDLE = new Set(["Timeout", "MessagePort", "PipeWrap", "TTYWrap", "FSEventWrap", "StatWatcher", "TCPServerWrap"]);

/** What Vitest itself keeps of the modules that it loads. `vi.dynamicImportSettled` asks the same, and takes a real timer. */
interface Loading {
  resolvingModules: Set<string>;
  evaluatedModules: { idToModuleMap: Map<string, { promise?: unknown; evaluated?: boolean }> };
}

function isModuleLoading({ resolvingModules, evaluatedModules }: Loading): boolean {
  if (resolvingModules.size > 0) return true;
  for (const { promise, evaluated } of evaluatedModules.idToModuleMap.values()) if (promise && !evaluated) return true;
  return false;
}

/**
 * Whether something is on its way that takes real time: a module, a file, a socket, another process. Outside Vitest
 * nobody knows which modules are, so that something always may be.
 */
export function isRealAtWork(): boolean {
  const { __vitest_worker__: worker } = globalThis as { __vitest_worker__?: Loading };
  return (
    worker === undefined || isModuleLoading(worker) || process.getActiveResourcesInfo().some((it) => !IDLE.has(it))
  );
}
