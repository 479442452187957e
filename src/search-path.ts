import { posix, win32 } from "node:path";

/** What decides which other programs this program may start. */
export interface SearchPlace {
  /** The platform, as `process.platform` names it. */
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of a project, whose programs other people choose. Undefined outside of a project, as `projectIn` decides. */
  readonly project: string | undefined;
  /** Returns whether there is an executable file at the path. */
  isProgram(path: string): boolean;
  /** Returns where a path leads when links are followed. Returns the path itself if it leads nowhere. */
  real(path: string): string;
}

/**
 * Returns the folders of the PATH from which this program starts others, which are absolute and outside the project.
 * `node_modules/.bin`, which `npx` and `npm run` add with its absolute path, is not among them, because the author of a project
 * writes the files in it.
 */
export function searchPath({ platform, env, project, real }: SearchPlace): string[] {
  const { delimiter, isAbsolute } = pathOf(platform);
  const isProjects = (folder: string) =>
    /[\\/]node_modules[\\/]\.bin[\\/]*$/i.test(folder) ||
    (project !== undefined && isWithin(platform, real(project), real(folder)));
  return (env.PATH ?? env.Path ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isProjects(folder) && !isProjects(real(folder)));
}

/** Finds a program in {@link searchPath}. On Windows the file's extension comes from PATHEXT. */
export function findProgram(place: SearchPlace, name: string): string | undefined {
  const { env, platform } = place;
  const endings = platform === "win32" ? (env.PATHEXT || ".EXE;.CMD;.BAT").toLowerCase().split(";") : [""];
  return searchPath(place)
    .flatMap((folder) => endings.map((ending) => pathOf(platform).join(folder, name + ending)))
    .find((path) => place.isProgram(path));
}

/**
 * Returns the folder in which a program was started if it can be a project's. The person's own folder, and those above
 * it, hold the person's own programs.
 */
export const projectIn = (platform: string, cwd: string, home: string | undefined): string | undefined =>
  cwd === pathOf(platform).parse(cwd).root || (home !== undefined && isWithin(platform, cwd, home)) ? undefined : cwd;

function isWithin(platform: string, folder: string, path: string): boolean {
  const { isAbsolute, relative, sep } = pathOf(platform);
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const pathOf = (platform: string) => (platform === "win32" ? win32 : posix);
