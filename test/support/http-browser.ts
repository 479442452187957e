import { decisionPage } from "./decision-page.ts";
import { type RawAnswer, send } from "./endpoint.ts";

export interface HttpBrowser {
  ask(address: string, form?: Record<string, string>, headers?: Record<string, string>): Promise<RawAnswer>;
  /** Opens the page and sends its form. */
  decide(address: string, form: Record<string, string>): Promise<RawAnswer>;
  cookies: Map<string, string>;
}

/** A browser without a window, before an endpoint of that public origin: what it is given, it sends back below the path of it. */
export function httpBrowser(port: number, origin: string): HttpBrowser {
  const cookies = new Map<string, string>();
  const paths = new Map<string, string>();
  const isSentTo = (name: string, pathname: string) => {
    const path = paths.get(name) ?? "/";
    return path === "/" || pathname === path || pathname.startsWith(`${path}/`);
  };
  const ask: HttpBrowser["ask"] = async (address, form, headers = {}) => {
    const body = form && new URLSearchParams(form).toString();
    const { pathname, search } = new URL(address);
    const sent = [...cookies].filter(([name]) => isSentTo(name, pathname));
    const answer = await send(port, {
      method: form ? "POST" : "GET",
      path: `${pathname}${search}`,
      headers: {
        Host: new URL(origin).host,
        "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
        ...(form && { "Content-Type": "application/x-www-form-urlencoded", Origin: origin }),
        ...(sent.length > 0 && { Cookie: sent.map((pair) => pair.join("=")).join("; ") }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    for (const line of answer.headers["set-cookie"] ?? []) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      cookies.set(name, value);
      paths.set(name, /; Path=([^;]+)/.exec(line)?.[1] ?? "/");
    }
    return answer;
  };
  return {
    ask,
    cookies,
    async decide(address, form) {
      let last: RawAnswer | undefined;
      const { status, body, fill } = await decisionPage(address, async (at, sent) => {
        last = await ask(at, sent);
        return { status: last.status, body: last.text };
      });
      // What may be sent is asked on a page of its own, with two buttons.
      if (status === 200 && body.includes('name="decision"')) return ask(address, form);
      if (status === 200) await fill(form);
      return last as RawAnswer;
    },
  };
}
