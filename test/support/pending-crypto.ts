import crypto, { webcrypto } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

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

/** What an endpoint makes a user id with: it takes long on purpose. */
const { scrypt } = crypto;
crypto.scrypt = ((...args: unknown[]) => {
  const done = args.pop() as (...result: unknown[]) => void;
  pending++;
  const end = (...result: unknown[]) => {
    pending--;
    done(...result);
  };
  return (scrypt as (...args: unknown[]) => void)(...args, end);
}) as typeof scrypt;
syncBuiltinESMExports();

/** Whether a key, an id or a signature is being made or checked: no time may pass for a test meanwhile. */
export const isCryptoPending = (): boolean => pending > 0;
