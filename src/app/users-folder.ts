import { join } from "node:path";

/** In the home of an endpoint's operator: a folder for each of its users, by the hash of backend and token. */
export const usersFolder = (home: string): string => join(home, "users");

export const isUserFolder = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);
