import { spawn } from "node:child_process";

const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ["open"],
  // `start` is a shell word; explorer takes the address as one argument and no shell reads it.
  win32: ["explorer.exe"],
  linux: ["xdg-open"],
};

/** Opens an address in the person's browser. False where there is no desktop, or no program that opens it. */
export async function openBrowser(url: string): Promise<boolean> {
  const opener = OPENERS[process.platform];
  const headless = process.platform === "linux" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;
  if (opener === undefined || headless) return false;
  const [command, ...args] = opener;
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
