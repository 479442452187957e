import {
  getOAuthProtectedResourceMetadataUrl,
  type OAuthMetadata,
  oauthMetadataResponse,
} from "@modelcontextprotocol/server";

/** The paths of the parts of sign-in, below the endpoint's origin. */
export const PATHS = {
  authorize: "/authorize",
  token: "/oauth/token",
  revoke: "/oauth/revoke",
  register: "/register",
} as const;
/** The only scope. The consent page says what a program may do, and nobody would read a list of scopes. */
export const SCOPE = "towow";

const resourceOf = (origin: string): URL => new URL("/mcp", origin);

/**
 * Returns whether a `resource` parameter names this endpoint. Clients send its address or its origin, with a slash or
 * without.
 */
export function isThisResource(asked: string, origin: string): boolean {
  const url = URL.parse(asked);
  return url !== null && url.origin === origin && url.hash === "" && ["/", "/mcp", "/mcp/"].includes(url.pathname);
}

/** Answers a request for one of the two metadata documents. Returns undefined for any other request. */
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
    dangerouslyAllowInsecureIssuerUrl: true, // The options allow http for this machine alone.
  });
}

/**
 * Returns the WWW-Authenticate header of a 401. It says where to sign in, and whether a token was sent that is not
 * valid.
 */
export function challenge(origin: string, hadBearer: boolean): string {
  const where = `Bearer realm="towow", resource_metadata="${getOAuthProtectedResourceMetadataUrl(resourceOf(origin))}", scope="${SCOPE}"`;
  return hadBearer ? `${where}, error="invalid_token"` : where;
}
