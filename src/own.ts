/** What a table says of a name that comes from outside. Every object answers to `constructor`, and no table means that. */
export const own = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table !== undefined && table !== null && Object.hasOwn(table, name) ? table[name] : undefined;
