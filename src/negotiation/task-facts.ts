import type { CoreDeps } from "./core-deps.ts";
import { type Answered, type Facts, factName, type NegotiationKey } from "./facts.ts";

/** What is written down of background tasks, beside the negotiations that they are about. */
export class TaskFacts {
  readonly #deps: Pick<CoreDeps, "facts" | "clock" | "origin" | "hash">;

  constructor(deps: Pick<CoreDeps, "facts" | "clock" | "origin" | "hash">) {
    this.#deps = deps;
  }

  /** Writes down that a question goes out under this key, the first time that it does. */
  async noteShown(id: string, key: string, { shownAt }: Facts): Promise<void> {
    if (!shownAt.has(key)) await this.#create(id, factName.shown(key), {});
  }

  /**
   * Takes the next answer to a question, of which `taken` have been taken before; false where somebody else takes it.
   * `follow`: what comes of it.
   */
  async takeAnswer(
    id: string,
    { questionId, taken }: { questionId: string; taken: number },
    follow: Pick<Answered, "quiet_ms" | "next">,
  ): Promise<boolean> {
    return this.#create(id, factName.answered(this.#hashOf(questionId), taken + 1), follow);
  }

  /** How many answers to a question have been taken. */
  answersTaken({ answers }: Facts, questionId: string): number {
    const question = this.#hashOf(questionId);
    return answers.filter((answer) => answer.question === question).length;
  }

  /** The last answer to any of these questions. */
  lastAnswer({ answers }: Facts, questionIds: readonly string[]): Answered | undefined {
    const questions = new Set(questionIds.map((id) => this.#hashOf(id)));
    return answers.findLast(({ question }) => questions.has(question));
  }

  /** The client follows the negotiation in the background no longer. */
  async unfollow(id: string): Promise<void> {
    await this.#create(id, factName.unfollowed, {});
  }

  async #create(id: string, name: string, value: object): Promise<boolean> {
    const { facts, clock, origin } = this.#deps;
    const key: NegotiationKey = { origin, id };
    return (await facts.create(key, name, { at: clock.now(), ...value })).created;
  }

  #hashOf(questionId: string): string {
    return this.#deps.hash(questionId).slice(0, 16);
  }
}
