/** The name that a text of the fault model begins with: `T<demand>.<version>` of the backend, `E<n>.0` of a person. */
export const tokenOf = (text: string): string => /[TE]\d+\.\d+/.exec(text)?.[0] ?? "";

/** The texts of one run. No two negotiations share one, or nobody could say which of them a yes was for. */
export class Texts {
  readonly #texts = new Map<string, string>();
  readonly #owner = new Map<string, string>();
  #proposals = 0;

  /** The text that a longer one, such as a form's message, names. */
  namedIn(message: string): string | undefined {
    return this.#texts.get(tokenOf(message));
  }

  /** Which negotiation such a text belongs to. */
  ownerOf(message: string): string | undefined {
    return this.#owner.get(tokenOf(message));
  }

  own(text: string, negotiationId: string): void {
    this.#owner.set(tokenOf(text), negotiationId);
  }

  /** A new text of the backend for demand `D<n>`, at least of that version. */
  write(n: string, from: number, text: (token: string) => string): string {
    let version = from;
    while (this.#texts.has(`T${n}.${version}`)) version += 1;
    return this.#keep(`T${n}.${version}`, text);
  }

  /** Another text that somebody types for this negotiation. */
  propose(negotiationId: string, body: string): string {
    const text = this.#keep(`E${++this.#proposals}.0`, (token) => `${token}${body}`);
    this.own(text, negotiationId);
    return text;
  }

  #keep(token: string, textOf: (token: string) => string): string {
    const text = textOf(token);
    this.#texts.set(token, text);
    return text;
  }
}
