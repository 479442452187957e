/** The proxy variables, in either spelling. */
export const proxyOf = (env: NodeJS.ProcessEnv) => ({
  httpProxy: env.http_proxy || env.HTTP_PROXY,
  httpsProxy: env.https_proxy || env.HTTPS_PROXY,
  noProxy: env.no_proxy || env.NO_PROXY,
});

/** The locale of a person's terminal, as POSIX ranks the variables. */
export const localeOf = (env: NodeJS.ProcessEnv) => env.LC_ALL || env.LC_MESSAGES || env.LANG;
