import type { GrantInUse } from "../../mcp/http/sign-in/grants.ts";
import type { User } from "../../mcp/http/user.ts";

/** One program is served by this; `grant` is as its last request found it. */
type Make = (own: { grant: GrantInUse }) => User;

/** Serves one person to each of the programs that act for them: what one has open is its own, and ends with its grant. */
export class GrantedUsers {
  readonly #make: Make;
  readonly #byGrant = new Map<string, { last: { grant: GrantInUse }; user: User }>();

  constructor(make: Make) {
    this.#make = make;
  }

  through(grant: GrantInUse): User {
    const known = this.#byGrant.get(grant.id);
    if (known !== undefined) {
      known.last.grant = grant;
      return known.user;
    }
    const last = { grant };
    const user = this.#make(last);
    this.#byGrant.set(grant.id, { last, user });
    return user;
  }

  /** Ends the streams that are open through it. */
  async end(grantId: string): Promise<void> {
    const own = this.#byGrant.get(grantId);
    this.#byGrant.delete(grantId);
    own?.user.subscriptions.close();
    await own?.user.modern.close();
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#byGrant.keys()].map((id) => this.end(id)));
  }
}
