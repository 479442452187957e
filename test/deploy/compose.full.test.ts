import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readCompose } from "./compose.ts";

/** What the containers may do, and what goes into the image and into git. */

const ROOT = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8");
const source = read("deploy/compose.yaml");
const compose = readCompose(source);
type Service = Readonly<Record<string, unknown>>;
const services = Object.entries(compose.services as unknown as Record<string, Service>);
const image = (compose["x-replica"] as unknown as { build: { dockerfile_inline: string } }).build.dockerfile_inline;

it("there are two replicas, a store and a proxy", () => {
  expect(services.map(([name]) => name)).toEqual(["a", "b", "store", "proxy"]);
});

describe.each(services)("%s", (_, service) => {
  it("has a read-only root, no capabilities, and gets no new privileges", () => {
    expect(service).toMatchObject({
      read_only: "true",
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
    expect(service).not.toHaveProperty("cap_add");
    expect(service).not.toHaveProperty("privileged");
  });

  it("does not run as root, and writes to memory or its own volume only", () => {
    const user = service.user ?? /^USER (\w+)$/m.exec(image)?.[1];
    expect(user).toMatch(/^(?:node|[1-9]\d*:[1-9]\d*)$/);
    expect(service.tmpfs).toContain("/tmp");
    for (const volume of (service.volumes ?? []) as string[]) expect(volume).toMatch(/^store:\/data$|:ro$/);
  });
});

it("every image has a version, and the file says how to pin it by digest", () => {
  const images = [...image.matchAll(/^FROM (\S+)/gm)].map(([, name]) => name);
  for (const name of [...images, ...services.flatMap(([, one]) => one.image ?? [])])
    expect(name).toMatch(/:\d[\w.-]*$|@sha256:[0-9a-f]{64}$/);
  expect(source).toContain("@sha256:");
  expect(source).toContain("docker buildx imagetools inspect");
});

it("only what is published goes from the build into the image", () => {
  expect(image).toContain("npm pack");
  expect([...image.matchAll(/^COPY --from=build (\S+)/gm)].map(([, from]) => from)).toEqual(["/out"]);
});

const SECRETS = ["deploy/.env", ".env", ".env.local", "deploy/.env.production", "src/.env"];

describe("the file with the state key", () => {
  /** As Docker reads it: the last pattern that fits a path, or a folder above it, decides. */
  const isLeftOut = (path: string) => {
    const above = path.split("/").map((_, n, parts) => parts.slice(0, n + 1).join("/"));
    const patterns = read(".dockerignore")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    return patterns.reduce((out, pattern) => {
      const parts = pattern
        .replace(/^!/, "")
        .replaceAll(".", "\\.")
        .split(/(\*\*\/|\*)/);
      const form = parts.map((part) => ({ "**/": "(?:.*/)?", "*": "[^/]*" })[part] ?? part).join("");
      return above.some((folder) => new RegExp(`^${form}$`).test(folder)) ? !pattern.startsWith("!") : out;
    }, false);
  };

  it.each(SECRETS)("%s is neither in git nor in what the image is built from", (path) => {
    expect(spawnSync("git", ["check-ignore", "-q", path], { cwd: ROOT }).status).toBe(0);
    expect(isLeftOut(path)).toBe(true);
  });

  it("nor are git, the tests and what a person keeps beside them; all that the build reads is", () => {
    for (const path of [".git/config", "node_modules/x/index.js", "test/home/x.ts", "config.json", "home.key", "notes"])
      expect(isLeftOut(path), path).toBe(true);
    const tracked = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).trim().split("\n");
    const needed =
      /^(?:src|prompts|docs|mock-backend|plugin)\/|^(?:package(?:-lock)?\.json|tsconfig\.json|LICENSE|build)/;
    expect(tracked.filter((path) => needed.test(path) && isLeftOut(path))).toEqual([]);
  });
});
