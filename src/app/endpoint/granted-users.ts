import type { GrantInUse } from "../../mcp/http/sign-in/grants.ts";
import type { User } from "../../mcp/http/user.ts";

/**
 * Makes the user that serves one program. `own.grant` is replaced at each request, so it is always the grant that the
 * last request brought.
 */
type Make = (own: { grant: GrantInUse }) => User;

/**
 * Gives each program that acts for a person its own `User`, so that its streams end with its own grant and touch no
 * other program's.
 */
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

  /** Forgets the program of this grant and ends its streams. */
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
