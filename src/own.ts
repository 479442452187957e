/**
 * Looks up a name from outside in a table. Only the table's own properties count, because every object inherits properties such
 * as `constructor`.
 */
export const own = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table !== undefined && table !== null && Object.hasOwn(table, name) ? table[name] : undefined;
