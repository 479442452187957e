import { posix, win32 } from "node:path";

/** Where a program is started, as far as it says which other programs may be. */
export interface SearchPlace {
  /** As `process.platform` names it. */
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder whose programs are others' choice; undefined where there is none. `projectIn` finds it. */
  readonly project: string | undefined;
  /** Whether a file that can be run is there. */
  isProgram(path: string): boolean;
  /** Where a path leads, links followed; the path itself when it leads nowhere. */
  real(path: string): string;
}

/**
 * The folders of the PATH from which this program starts others: full ones, outside the project, and no
 * `node_modules/.bin`, which `npx` and `npm run` put there by its full path. A project's files are written by whoever
 * wrote the project.
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

/** Where {@link searchPath} has a program. On Windows the file's ending comes from PATHEXT. */
export function findProgram(place: SearchPlace, name: string): string | undefined {
  const { env, platform } = place;
  const endings = platform === "win32" ? (env.PATHEXT || ".EXE;.CMD;.BAT").toLowerCase().split(";") : [""];
  return searchPath(place)
    .flatMap((folder) => endings.map((ending) => pathOf(platform).join(folder, name + ending)))
    .find((path) => place.isProgram(path));
}

/**
 * The folder that a program was started in, where it can be a project's: not the person's own folder, nor one above it,
 * which hold their own programs.
 */
export const projectIn = (platform: string, cwd: string, home: string | undefined): string | undefined =>
  cwd === pathOf(platform).parse(cwd).root || (home !== undefined && isWithin(platform, cwd, home)) ? undefined : cwd;

function isWithin(platform: string, folder: string, path: string): boolean {
  const { isAbsolute, relative, sep } = pathOf(platform);
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const pathOf = (platform: string) => (platform === "win32" ? win32 : posix);
