import { describe, expect, it } from "vitest";
import { findProgram, projectIn, type SearchPlace, searchPath } from "../src/search-path.ts";

const linux = (PATH: string, more: Partial<SearchPlace> = {}): SearchPlace => ({
  platform: "linux",
  env: { PATH },
  project: "/work",
  isProgram: () => false,
  real: (path) => path,
  ...more,
});

describe("the folders that programs are started from", () => {
  it.each([
    ["relative ones", "bin:./bin:.:..:/usr/bin", ["/usr/bin"]],
    ["an empty one, which is the working folder", ":/usr/bin:", ["/usr/bin"]],
    ["the project, and what is in it", "/work:/work/bin:/works:/usr/../work/tools:/usr/bin", ["/works", "/usr/bin"]],
    ["packages' programs, wherever", "/other/node_modules/.bin:/a/node_modules/.bin/:/usr/bin", ["/usr/bin"]],
  ])("leave out %s", (_, PATH, left) => {
    expect(searchPath(linux(PATH))).toEqual(left);
  });

  it("leave out a link that leads into the project, and one into packages' programs", () => {
    const links: Record<string, string> = { "/home/me/tools": "/work/tools", "/opt/l": "/x/node_modules/.bin" };
    const real = (path: string) => links[path] ?? path;
    expect(searchPath(linux("/home/me/tools:/opt/l:/usr/bin", { real }))).toEqual(["/usr/bin"]);
  });

  it("leave out the same on Windows, whatever the case of the letters", () => {
    const env = { Path: String.raw`bin;C:\Work\tools;D:\x\Node_Modules\.bin;C:\Windows` };
    const on = linux("", { platform: "win32", env, project: String.raw`c:\work` });
    expect(searchPath(on)).toEqual([String.raw`C:\Windows`]);
  });

  it("hold the person's own programs where they stand in their own folder, or above it", () => {
    expect(projectIn("linux", "/home/me/app", "/home/me")).toBe("/home/me/app");
    expect(projectIn("linux", "/home/me", "/home/me")).toBeUndefined();
    expect(projectIn("linux", "/home", "/home/me")).toBeUndefined();
    expect(projectIn("linux", "/", undefined)).toBeUndefined();
    expect(projectIn("win32", "C:\\Users\\me", "c:\\users\\Me")).toBeUndefined();
  });
});

it("a program is the first that can be run, and none of the project's", () => {
  const has = ["/work/bin/x", "/opt/bin/x", "/usr/bin/x"];
  const place = linux("/work/bin:/opt/bin:/usr/bin", { isProgram: (path) => has.includes(path) });
  expect(findProgram(place, "x")).toBe("/opt/bin/x");
  expect(findProgram(place, "y")).toBeUndefined();
});
