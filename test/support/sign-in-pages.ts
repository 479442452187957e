import { browsersPage } from "../../src/ask/page/browser-pages.ts";
import type { PageContext } from "../../src/ask/page/frame.ts";
import {
  type Consent,
  consentPage,
  donePage,
  joinedPage,
  refusedPage,
} from "../../src/mcp/http/sign-in/consent-page.ts";

type List = Parameters<typeof browsersPage>[1];
const SECRET = "Vq0tXh3mJ8nYc1LwR5sKdPfZ";

/** Every page on which somebody lets a program act for them, or ends that. `list`: a list of browsers. */
export function signInPagesIn(shown: PageContext, list: List): Record<string, ReturnType<typeof consentPage>> {
  const at = Date.UTC(2026, 10, 14);
  const days = (n: number) => at + n * 86_400_000;
  const consent: Consent = {
    client: { id: "c.1", name: "Claude", redirects: [] },
    redirect: "https://claude.ai/api/mcp/auth_callback",
    person: { id: "7d1f0a52-5b1c-4a0e-9d6f-0c2b7f1f3a55", since: at, mark: "m" },
    network: "towow.example",
    canJoin: true,
    policy: { isStrict: false, leaves: false },
    browsersPath: "/browsers",
    asAnother: "?who=another",
  };
  const out = { ...consent, person: undefined };
  const { page } = shown.texts;
  const code = {
    client: { id: "https://claude.ai/oauth/code", name: "Claude Code", redirects: [], saidBy: "claude.ai" },
    redirect: "http://localhost:54619/callback",
  };
  const programs = [
    { id: "g1", name: "Claude", redirect: "claude.ai", at: days(6), used_at: days(9), passesWord: true },
    { id: "g2", name: "Claude Code", redirect: "", at: days(1), used_at: days(8), passesWord: false },
  ];
  return {
    consent: consentPage(shown, consent),
    "consent-where-only-their-own-hand-counts": consentPage(shown, {
      ...consent,
      policy: { isStrict: true, leaves: false },
    }),
    "consent-where-what-nobody-decides-goes-out": consentPage(shown, {
      ...consent,
      policy: { isStrict: false, leaves: true },
    }),
    "consent-for-a-program-of-this-computer": consentPage(shown, { ...consent, ...code }),
    "consent-of-the-person-of-this-computer": consentPage(shown, {
      ...consent,
      ...code,
      person: { since: at, mark: "m" },
    }),
    "consent-for-a-program-that-is-opened": consentPage(shown, {
      ...consent,
      client: { ...consent.client, name: "" },
      redirect: "cursor://anysphere.cursor-mcp/oauth/callback",
    }),
    "consent-signed-out": consentPage(shown, out),
    "consent-signed-out-and-nobody-joins": consentPage(shown, { ...out, canJoin: false }),
    "consent-with-an-unknown-token": consentPage(shown, { ...out, problem: page.signIn.unknown }),
    "consent-joined": joinedPage(shown, { token: `towow_${SECRET}`, isHereAlone: false, passesWord: false, mark: "m" }),
    "consent-joined-here-alone": joinedPage(shown, {
      token: `towow_${SECRET}`,
      isHereAlone: true,
      passesWord: true,
      mark: "m",
    }),
    "consent-given": donePage(shown, "cursor://anysphere.cursor-mcp/oauth/callback"),
    "consent-over": refusedPage(shown, "expired"),
    "consent-for-an-unknown-program": refusedPage(shown, "unknownClient"),
    "consent-for-another-address": refusedPage(shown, "wrongAddress"),
    "consent-while-many-ask": refusedPage(shown, "busy"),
    "browsers-and-programs": browsersPage(shown, { ...list, programs }),
    "browsers-and-a-program-that-was-ended": browsersPage(shown, { ...list, programs: [], ended: ["Claude Code"] }),
    "browsers-and-no-program": browsersPage(shown, { ...list, programs: [] }),
  };
}
