import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tidyIdentities, withIssued } from "../../src/home/identity-state.ts";
import { lastIdsFor, withLastIds, withoutLast } from "../../src/home/last-ids.ts";

const [A, B, C] = ["https://a.test", "https://b.test", "http://127.0.0.1:9"] as const;
const asked = (origin: string) => ({ origin, userId: undefined, token: undefined, now: 0 });
const origin = fc.constantFrom(A, B, C);

/** What happens to a config file in a life with several backends. */
const step = fc.oneof(
  fc.record({ do: fc.constant("edit" as const), url: fc.option(origin, { nil: undefined }) }),
  fc.record({ do: fc.constant("settle" as const), at: origin }),
  fc.record({ do: fc.constant("token" as const), at: origin }),
  fc.record({ do: fc.constant("remember" as const), at: origin, id: fc.constantFrom("one", "two") }),
);

test("each backend finds what was remembered for it last, whatever was edited, issued and settled in between", () => {
  let tokens = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), fc.boolean(), (steps, idsCollide) => {
      let file: Record<string, unknown> = {};
      const last = new Map<string, string>();
      for (const it of steps) {
        if (it.do === "edit") {
          const { backend_url: _, ...rest } = file;
          file = it.url === undefined ? rest : { ...rest, backend_url: it.url };
        } else if (it.do === "settle") file = { ...tidyIdentities(file, asked(it.at)) };
        else if (it.do === "token") {
          const issued = { user_id: `u-${it.at}`, api_token: `t${++tokens}` };
          file = { ...withIssued(tidyIdentities(file, asked(it.at)), asked(it.at), issued) };
        } else {
          const id = idsCollide ? it.id : `${it.id}-of-${it.at}`;
          file = { ...withLastIds(file, it.at, { last_scene_id: id }) };
          last.set(it.at, id);
        }
        for (const at of [A, B, C]) expect(lastIdsFor(file, at).last_scene_id, at).toBe(last.get(at));
      }
    }),
    { numRuns: 2_000 },
  );
});

describe("a file of an older version, which has the last ids at the top only", () => {
  const record = (name: string) => ({ user_id: `u-${name}`, api_token: `t-${name}` });
  const old = {
    backend_url: A,
    ...record("a"),
    last_scene_id: "scene_a",
    identities: { [A]: record("a"), [B]: record("b") },
  };

  test.each<[string, Record<string, unknown>, string | undefined, string | undefined]>([
    ["as it was written", old, "scene_a", undefined],
    ["backend_url edited, the rest left", { ...old, backend_url: B }, "scene_a", undefined],
    ["backend_url taken away", { ...old, backend_url: undefined }, "scene_a", undefined],
    ["by its id alone", { ...old, backend_url: B, api_token: undefined }, "scene_a", undefined],
    ["without any identity, it is the named backend's", { backend_url: B, last_scene_id: "s" }, undefined, "s"],
  ])("%s", (_, file, atA, atB) => {
    expect(lastIdsFor(file, A).last_scene_id).toBe(atA);
    expect(lastIdsFor(file, B).last_scene_id).toBe(atB);
    const tidied = tidyIdentities(file, asked(B));
    expect(lastIdsFor(tidied, B).last_scene_id).toBe(atB);
    expect(lastIdsFor(tidied, A).last_scene_id).toBe(atA);
  });

  test("without identity and address, it is the backend's in use", () => {
    expect(lastIdsFor({ last_scene_id: "s" }, B).last_scene_id).toBe("s");
  });

  test("one that a hand has changed at the top is the named backend's", () => {
    const known = withLastIds(old, A, { last_scene_id: "scene_a" });
    expect(lastIdsFor({ ...known, last_scene_id: "mine" }, A).last_scene_id).toBe("mine");
    expect(lastIdsFor({ ...known, last_scene_id: "mine" }, B).last_scene_id).toBeUndefined();
  });

  test("taken away, it is gone everywhere; unknown fields and broken records stay", () => {
    const broken = { ...old, other: 1, identities: { ...old.identities, "https://c.test": 3 } };
    const left = withoutLast(withLastIds(broken, B, { last_scene_id: "scene_b" }), "last_scene_id");
    expect(JSON.stringify(left)).not.toContain("last_scene_id");
    expect(left).toMatchObject({ other: 1, identities: { [B]: record("b"), "https://c.test": 3 } });
  });
});
