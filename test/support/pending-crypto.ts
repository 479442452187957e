import { webcrypto } from "node:crypto";

/** What the SDK seals a paused request with: real work on other threads, which a busy machine lets wait. */
const METHODS = ["importKey", "sign", "verify"] as const;

let pending = 0;

for (const method of METHODS) {
  const original = webcrypto.subtle[method].bind(webcrypto.subtle) as (...args: unknown[]) => Promise<unknown>;
  const value = async (...args: unknown[]) => {
    pending++;
    try {
      return await original(...args);
    } finally {
      pending--;
    }
  };
  Object.defineProperty(webcrypto.subtle, method, { value, configurable: true });
}

/** Whether a signature is being made or checked: no time may pass for a test meanwhile. */
export const isCryptoPending = (): boolean => pending > 0;
