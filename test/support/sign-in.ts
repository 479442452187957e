import { createHash, randomBytes } from "node:crypto";
import { type Endpoint, type EndpointOptions, type RawAnswer, send, startEndpoint } from "./endpoint.ts";
import { freePort } from "./free-port.ts";
import { type HttpBrowser, httpBrowser } from "./http-browser.ts";

/** An endpoint at a public address of this machine, where programs sign in. */
export interface SignInEndpoint extends Endpoint {
  origin: string;
}

export async function startSignIn({ args = [], ...options }: EndpointOptions = {}): Promise<SignInEndpoint> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const own = ["--port", `${port}`, "--public-url", origin, "--token-page", "on"];
  return { ...(await startEndpoint({ ...options, args: [...own, ...args] })), origin };
}

export const LOOPBACK = "http://127.0.0.1:7/cb";

/** One program that asks to act for somebody, and what it knows. */
export class AskingProgram {
  readonly at: { port: number; origin: string };
  readonly verifier = randomBytes(32).toString("base64url");
  clientId = "";
  redirect = LOOPBACK;

  constructor(at: { port: number; origin: string }) {
    this.at = at;
  }

  get challenge(): string {
    return createHash("sha256").update(this.verifier).digest("base64url");
  }

  async register(redirects: readonly unknown[] = [LOOPBACK], more: object = {}): Promise<RawAnswer> {
    const { port } = this.at;
    const answer = await send(port, {
      method: "POST",
      path: "/register",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ client_name: "Probe", redirect_uris: redirects, ...more }),
    });
    if (answer.status === 201) this.clientId = JSON.parse(answer.text).client_id;
    return answer;
  }

  /** The address at which its person is asked. */
  asks(more: Record<string, string | undefined> = {}): string {
    const asked = {
      response_type: "code",
      client_id: this.clientId,
      redirect_uri: this.redirect,
      code_challenge: this.challenge,
      code_challenge_method: "S256",
      state: "s",
      resource: `${this.at.origin}/mcp`,
      ...more,
    };
    const given = Object.entries(asked).filter((pair): pair is [string, string] => pair[1] !== undefined);
    return `${this.at.origin}/authorize?${new URLSearchParams(given)}`;
  }

  form(path: string, fields: Record<string, string | undefined>): Promise<RawAnswer> {
    const given = Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined);
    return send(this.at.port, {
      method: "POST",
      path,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(given).toString(),
    });
  }

  redeem(code: string, more: Record<string, string | undefined> = {}): Promise<RawAnswer> {
    return this.form("/oauth/token", {
      grant_type: "authorization_code",
      ...{ code, client_id: this.clientId, redirect_uri: this.redirect, code_verifier: this.verifier },
      resource: `${this.at.origin}/mcp`,
      ...more,
    });
  }

  refresh(token: string, more: Record<string, string | undefined> = {}): Promise<RawAnswer> {
    return this.form("/oauth/token", {
      grant_type: "refresh_token",
      refresh_token: token,
      client_id: this.clientId,
      ...more,
    });
  }
}

/** A person before an endpoint's consent page. */
export class ConsentingPerson {
  readonly browser: HttpBrowser;
  readonly origin: string;
  /** For whom the page said that it asks, where it did: what its form sends along. */
  #person: Record<string, string> = {};

  constructor({ port, origin }: { port: number; origin: string }) {
    this.browser = httpBrowser(port, origin);
    this.origin = origin;
  }

  /** Opens what a program asks, as far as the page; or where it was led instead. */
  async opens(address: string): Promise<RawAnswer & { page: string }> {
    const first = this.#reads(await this.browser.ask(address));
    const { location = "" } = first.headers;
    if (!location.startsWith("/authorize/")) return { ...first, page: "" };
    const page = `${this.origin}${location}`;
    return { ...this.#reads(await this.browser.ask(page)), page };
  }

  async answers(page: string, form: Record<string, string>): Promise<RawAnswer> {
    const answer = this.#reads(await this.browser.ask(page, { ...this.#person, ...form }));
    const isSamePage = answer.status === 303 && answer.headers.location === new URL(page).pathname;
    if (isSamePage) this.#reads(await this.browser.ask(page));
    return answer;
  }

  #reads(answer: RawAnswer): RawAnswer {
    const person = /name="person" value="([\w-]+)"/.exec(answer.text)?.[1];
    this.#person = person === undefined ? {} : { person };
    return answer;
  }

  /** Says yes with a token, and gives the code that the program is led back with. */
  async allows(address: string, form: Record<string, string>): Promise<string> {
    const { page } = await this.opens(address);
    const { headers, text } = await this.answers(page, { do: "allow", ...form });
    const code = URL.parse(headers.location ?? "")?.searchParams.get("code");
    if (code == null) throw new Error(`no code: ${headers.location} ${text.slice(0, 500)}`);
    return code;
  }
}

export interface SignedIn {
  program: AskingProgram;
  person: ConsentingPerson;
  access: string;
  refresh: string;
}

/** A program that acts for the person of this token. */
export async function signedIn(
  at: SignInEndpoint,
  token: string,
  more: Record<string, string> = {},
): Promise<SignedIn> {
  const [program, person] = [new AskingProgram(at), new ConsentingPerson(at)];
  await program.register();
  const code = await person.allows(program.asks(), { who: "token", token, ...more });
  const issued = JSON.parse((await program.redeem(code)).text);
  return { program, person, access: issued.access_token, refresh: issued.refresh_token };
}
