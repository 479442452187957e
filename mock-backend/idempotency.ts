/** An answer that can be given again. */
export interface StoredAnswer {
  status: number;
  headers: [string, string][];
  body: string;
}

export type Answered = { response: Response; replayed: boolean };

/**
 * The first answer to an `Idempotency-Key`, given again to the same request (method, path, user and body).
 * Only answers of requests that did something are kept: a refusal can be tried again with the same key.
 */
export class IdempotentAnswers {
  readonly #answers = new Map<string, Promise<StoredAnswer>>();
  readonly #kept = new Map<string, StoredAnswer>();
  /** Called after an answer was kept. */
  changed: () => void = () => {};

  /** `identity` names the request, the key included. */
  async once(identity: string, act: () => Promise<Response>): Promise<Answered> {
    const known = this.#answers.get(identity);
    if (known !== undefined) return { response: revive(await known), replayed: true };
    const first = act().then(keep);
    this.#answers.set(identity, first);
    try {
      const answer = await first;
      if (answer.status < 300 || answer.status >= 500) {
        this.#kept.set(identity, answer);
        this.changed();
      } else this.#answers.delete(identity);
      return { response: revive(answer), replayed: false };
    } catch (error) {
      this.#answers.delete(identity);
      throw error;
    }
  }

  /** What may be written to disk: never an answer that carries a token. */
  dump(): [string, StoredAnswer][] {
    return [...this.#kept].filter(([, answer]) => !answer.body.includes('"api_token"'));
  }

  load(answers: [string, StoredAnswer][]): void {
    for (const [identity, answer] of answers) {
      this.#kept.set(identity, answer);
      this.#answers.set(identity, Promise.resolve(answer));
    }
  }
}

async function keep(response: Response): Promise<StoredAnswer> {
  return { status: response.status, headers: [...response.headers], body: await response.text() };
}

function revive({ status, headers, body }: StoredAnswer): Response {
  return new Response(body === "" ? null : body, { status, headers });
}
