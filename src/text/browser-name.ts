const PROGRAMS: Readonly<Record<string, string>> = {
  edge: "Edge",
  opera: "Opera",
  firefox: "Firefox",
  chrome: "Chrome",
  safari: "Safari",
};
const SYSTEMS: Readonly<Record<string, string>> = {
  android: "Android",
  ios: "iPhone",
  windows: "Windows",
  mac: "macOS",
  chromeos: "ChromeOS",
  linux: "Linux",
};

/** Returns a browser's name as a person reads it: `chrome-linux-2`, as commands name it, becomes "Chrome on Linux (2)". */
export function browserName(name: string, on: (program: string, system: string) => string, unknown: string): string {
  const [, program = "", system = "", number] = /^([a-z]+)(?:-([a-z]+))?(?:-(\d+))?$/.exec(name) ?? [];
  const [who = unknown, where] = [PROGRAMS[program], SYSTEMS[system]];
  const shown = where === undefined ? who : on(who, where);
  return number === undefined ? shown : `${shown} (${number})`;
}
