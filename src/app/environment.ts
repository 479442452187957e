/** The locale of a person's terminal, as POSIX ranks the variables. */
export const localeOf = (env: NodeJS.ProcessEnv) => env.LC_ALL || env.LC_MESSAGES || env.LANG;
