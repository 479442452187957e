import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RateLimited, ServerError } from "../../src/backend/errors.ts";
import { networkFailure, whileConnecting } from "../../src/backend/failure.ts";
import { pauseMs, retryAfterSeconds } from "../../src/backend/retry.ts";

describe("the pause before a retry", () => {
  const broken = new ServerError({ operation: "x", status: 500 });

  test.each([0, 1, 2])("retry %i lies between half and all of its doubling", (retry) => {
    expect(pauseMs("read", retry, broken, () => 0)).toBe(150 * 2 ** retry);
    expect(pauseMs("read", retry, broken, () => 1)).toBe(300 * 2 ** retry);
  });

  test("there is no fourth, and none for a write whose outcome is open", () => {
    expect(pauseMs("read", 3, broken, () => 0)).toBeUndefined();
    expect(pauseMs("write", 0, broken, () => 0)).toBeUndefined();
  });

  test("never shorter than the backend asked, up to ten seconds", () => {
    const asking = (seconds: number) =>
      new RateLimited({ operation: "x", status: 429 }, { retryAfterSeconds: seconds });
    expect(pauseMs("write", 0, asking(10), () => 0)).toBe(10_000);
    expect(pauseMs("write", 0, asking(0), () => 0)).toBe(150);
    expect(pauseMs("write", 0, asking(11), () => 0)).toBeUndefined();
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-11-21T00:00:00Z");

  test.each([
    [null, undefined],
    ["", undefined],
    ["soon", undefined],
    ["-1", 0],
    ["0", 0],
    ["1.5", 2],
    [" 30 ", 30],
    ["Sat, 21 Nov 2026 00:00:09 GMT", 9],
    ["Fri, 20 Nov 2026 00:00:00 GMT", 0],
  ])("%j → %s", (header, seconds) => {
    const read = retryAfterSeconds(header, now);
    // V8 reads "-1" as a year; any answer that does not wait is right.
    expect(header === "-1" ? (read ?? 0) : read).toBe(seconds);
  });

  test("whatever it says, it is no time at all or one to come", () => {
    fc.assert(fc.property(fc.string(), (header) => (retryAfterSeconds(header, now) ?? 0) >= 0));
  });
});

describe("what a network failure says", () => {
  const coded = (code: string, extra: object = {}) => Object.assign(new Error(code), { code, ...extra });
  const fetchFailed = (cause: unknown) => new TypeError("fetch failed", { cause });

  test.each([
    ["refused", coded("ECONNREFUSED"), false, "ECONNREFUSED"],
    ["no such host", coded("ENOTFOUND"), false, "ENOTFOUND"],
    ["connect timeout", coded("UND_ERR_CONNECT_TIMEOUT"), false, "UND_ERR_CONNECT_TIMEOUT"],
    ["no route, while connecting", coded("EHOSTUNREACH", { syscall: "connect" }), false, "EHOSTUNREACH"],
    ["no route, later", coded("EHOSTUNREACH", { syscall: "read" }), true, "EHOSTUNREACH"],
    ["reset", coded("ECONNRESET"), true, "ECONNRESET"],
    ["closed by the other side", coded("UND_ERR_SOCKET"), true, "UND_ERR_SOCKET"],
    ["a TLS record that breaks later", coded("ERR_SSL_BAD_RECORD_TYPE"), true, "ERR_SSL_BAD_RECORD_TYPE"],
    ["something new", new Error("?"), true, "unknown"],
    ["nothing", undefined, true, "unknown"],
  ])("%s", (_name, cause, reached, reason) => {
    expect(networkFailure(fetchFailed(cause))).toEqual({ reached, reason });
  });

  test.each([
    ["expired certificate", coded("CERT_HAS_EXPIRED"), "CERT_HAS_EXPIRED"],
    ["no TLS there", whileConnecting(coded("ERR_SSL_WRONG_VERSION_NUMBER")), "ERR_SSL_WRONG_VERSION_NUMBER"],
    ["a port of another protocol", new Error("bad port"), "bad_port"],
  ])("%s: refused on this side", (_name, cause, reason) => {
    expect(networkFailure(fetchFailed(cause))).toEqual({ reached: false, blocked: true, reason });
  });

  test("every address of a host must have failed to connect", () => {
    const refused = coded("ECONNREFUSED", { syscall: "connect" });
    const timedOut = coded("ETIMEDOUT", { syscall: "connect" });
    const reset = coded("ECONNRESET", { syscall: "read" });
    expect(networkFailure(fetchFailed(new AggregateError([timedOut, refused]))).reached).toBe(false);
    expect(networkFailure(fetchFailed(new AggregateError([timedOut, reset]))).reached).toBe(true);
    expect(networkFailure(fetchFailed(new AggregateError([]))).reached).toBe(true);
  });
});
