/**
 * Looks a name from outside up in a table. Only own properties count, because every object has a `constructor`, and no
 * table means that one.
 */
export const own = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table !== undefined && table !== null && Object.hasOwn(table, name) ? table[name] : undefined;
