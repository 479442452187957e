import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import { StoreUnreachable } from "../../../store/store.ts";
import { HttpError } from "../http-error.ts";
import type { Clients } from "./clients.ts";
import { isThisResource, PATHS, SCOPE } from "./documents.ts";
import type { Grants, Issued } from "./grants.ts";

export interface TokenEndpointOptions {
  grants: Grants;
  clients: Clients;
  isHost: (host: string) => boolean;
  originOf: (host: string) => string;
}

const MAX_BODY_BYTES = 16 * 1024;
const RETRY_S = "5";

/**
 * Serves registration, and the addresses where programs get, renew and give back their tokens. No program has a secret
 * and no cookie counts here, so any page may call these addresses.
 */
export function createTokenEndpoint(options: TokenEndpointOptions): Hono {
  const app = new Hono();
  for (const path of [PATHS.token, PATHS.revoke, PATHS.register]) {
    app.use(path, cors({ origin: "*", allowMethods: ["POST"], exposeHeaders: ["Retry-After"], maxAge: 600 }));
    app.use(path, async (c, next) => {
      if (!options.isHost(c.req.header("host") ?? "")) return c.text("forbidden host", 403);
      c.header("Cache-Control", "no-store");
      return next();
    });
    app.use(path, async (c, next) => (await refusedBody(c)) ?? next());
  }
  app.post(PATHS.register, (c) => register(c, options.clients));
  app.post(PATHS.token, (c) => issue(c, options));
  app.post(PATHS.revoke, (c) => revoke(c, options.grants));
  app.onError(failed);
  return app;
}

const limited = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: (c) => refuse(c, "invalid_request", "too large", 413),
});

/** Reads the body whole. Returns the refusal if it is too large or does not arrive. */
async function refusedBody(c: Context): Promise<Response | undefined> {
  try {
    return (await limited(c, async () => void (await c.req.text()))) ?? undefined;
  } catch {
    return refuse(c, "invalid_request", "the body did not arrive whole");
  }
}

async function register(c: Context, clients: Clients): Promise<Response> {
  const body: unknown = await c.req.json().catch(() => undefined);
  const client = clients.register(body);
  if (client === "invalid_redirect_uri")
    return refuse(c, client, "redirect_uris must be https, loopback http, or name://…, ten at most");
  if (client === "invalid_client_metadata") return refuse(c, client, "client metadata could not be read");
  const registered = {
    client_id: client.id,
    client_id_issued_at: client.issuedAtS,
    ...(client.name !== "" && { client_name: client.name }),
    redirect_uris: client.redirects,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    scope: SCOPE,
  };
  return c.json(registered, 201);
}

async function issue(c: Context, { grants, originOf }: TokenEndpointOptions): Promise<Response> {
  const form = await formIn(c);
  if (form === undefined) return refuse(c, "invalid_request", "a form is wanted, each parameter once");
  const origin = originOf(c.req.header("host") ?? "");
  if (form.resources.some((one) => !isThisResource(one, origin)))
    return refuse(c, "invalid_target", "resource names another server");
  const { grant_type, code, client_id, redirect_uri, code_verifier, refresh_token } = form.fields;
  if (grant_type === "authorization_code") {
    if (code === undefined || client_id === undefined || code_verifier === undefined)
      return refuse(c, "invalid_request", "code, client_id and code_verifier are required");
    const asked = { clientId: client_id, redirect: redirect_uri, verifier: code_verifier };
    return answer(c, await grants.redeem(code, asked));
  }
  if (grant_type === "refresh_token") {
    if (refresh_token === undefined) return refuse(c, "invalid_request", "refresh_token is required");
    return answer(c, await grants.refresh(refresh_token, client_id));
  }
  return refuse(c, "unsupported_grant_type", "authorization_code or refresh_token");
}

function answer(c: Context, issued: Issued | undefined): Response {
  if (issued === undefined) return refuse(c, "invalid_grant", "it is unknown, used, expired or ended");
  return c.json({
    access_token: issued.accessToken,
    token_type: "Bearer",
    expires_in: issued.expiresInS,
    refresh_token: issued.refreshToken,
    scope: SCOPE,
  });
}

async function revoke(c: Context, grants: Grants): Promise<Response> {
  const token = (await formIn(c))?.fields.token;
  if (token === undefined) return refuse(c, "invalid_request", "token is required");
  await grants.revoke(token);
  return c.body(null, 200);
}

function failed(error: Error, c: Context): Response {
  c.header("Cache-Control", "no-store");
  if (error instanceof HttpError && error.code === "rate_limited") {
    c.header("Retry-After", error.headers["Retry-After"] ?? RETRY_S);
    return refuse(c, "temporarily_unavailable", "too many requests", 429);
  }
  if (!(error instanceof StoreUnreachable)) throw error;
  // A client that reads "invalid" throws its tokens away, so the answer must not say that.
  c.header("Retry-After", RETRY_S);
  return refuse(c, "temporarily_unavailable", "the store does not answer", 503);
}

function refuse(c: Context, error: string, error_description: string, status: 400 | 413 | 429 | 503 = 400) {
  return c.json({ error, error_description }, status);
}

/** Parses the form. Undefined if the body is no form, or if a parameter other than `resource` is given twice. */
async function formIn(c: Context): Promise<{ fields: Record<string, string>; resources: string[] } | undefined> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header("content-type") ?? "")) return undefined;
  const sent = new URLSearchParams(await c.req.text());
  const names = [...sent.keys()].filter((name) => name !== "resource");
  if (new Set(names).size !== names.length) return undefined;
  return {
    fields: Object.fromEntries(names.map((name) => [name, sent.get(name) ?? ""])),
    resources: sent.getAll("resource"),
  };
}
