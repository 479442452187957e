import {
  getOAuthProtectedResourceMetadataUrl,
  type OAuthMetadata,
  oauthMetadataResponse,
} from "@modelcontextprotocol/server";

/** Where an endpoint's sign-in is, below its origin. */
export const PATHS = {
  authorize: "/authorize",
  token: "/oauth/token",
  revoke: "/oauth/revoke",
  register: "/register",
} as const;
/** There is one: what a program may do, the consent says. */
export const SCOPE = "towow";

const resourceOf = (origin: string): URL => new URL("/mcp", origin);

/** Whether a program asks for this endpoint: by its address or by its origin, with a slash or without. */
export function isThisResource(asked: string, origin: string): boolean {
  const url = URL.parse(asked);
  return url !== null && url.origin === origin && url.hash === "" && ["/", "/mcp", "/mcp/"].includes(url.pathname);
}

/** What the endpoint at this origin says of itself; undefined for a request for anything else. */
export function documentResponse(request: Request, origin: string, fetchesDocuments: boolean): Response | undefined {
  const at = (path: string) => `${origin}${path}`;
  const oauthMetadata: OAuthMetadata = {
    issuer: origin,
    authorization_endpoint: at(PATHS.authorize),
    token_endpoint: at(PATHS.token),
    revocation_endpoint: at(PATHS.revoke),
    registration_endpoint: at(PATHS.register),
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    scopes_supported: [SCOPE],
    authorization_response_iss_parameter_supported: true,
    ...(fetchesDocuments && { client_id_metadata_document_supported: true }),
  };
  return oauthMetadataResponse(request, {
    oauthMetadata,
    resourceServerUrl: resourceOf(origin),
    scopesSupported: [SCOPE],
    resourceName: "Towow",
    dangerouslyAllowInsecureIssuerUrl: true, // by http it is served to this machine alone
  });
}

/** What a 401 says: where to sign in, and whether what came was no good. */
export function challenge(origin: string, hadBearer: boolean): string {
  const where = `Bearer realm="towow", resource_metadata="${getOAuthProtectedResourceMetadataUrl(resourceOf(origin))}", scope="${SCOPE}"`;
  return hadBearer ? `${where}, error="invalid_token"` : where;
}
