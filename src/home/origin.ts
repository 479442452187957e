/** The origin (`https://host:port`) of an http(s) URL; undefined for anything else. Never throws. */
export function originOf(url: unknown): string | undefined {
  if (typeof url !== "string" || !URL.canParse(url)) return undefined;
  const { origin, protocol } = new URL(url);
  return protocol === "http:" || protocol === "https:" ? origin : undefined;
}

/** Whether a URL's host is this machine: `localhost`, 127.0.0.0/8 or `::1`. Names that DNS decides about do not count. */
export function isLoopback(url: URL): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}

/**
 * A backend's URL in its normal form, without a trailing slash; undefined unless it is http(s) without credentials,
 * query and fragment. Never throws, and never repeats what it was given.
 */
export function normalBackendUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const plain = url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (!plain || url.hostname === "" || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  url.pathname = url.pathname.replace(/\/+$/, "");
  return url;
}
