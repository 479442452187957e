import type { CoreDeps } from "./core.ts";
import { type Answered, type Created, type Facts, factName, keyIn, type Shown } from "./facts.ts";
import type { Journal } from "./journal.ts";

/** Identifies a question by the way in which it is put, after so many answers to it. */
type Showing = Pick<Shown, "taken" | "attempt" | "shape"> & { questionId: string };

type Deps = Pick<CoreDeps, "clock" | "hash" | "newId">;

/** Writes down the background tasks, beside the negotiations that they are about. */
export class TaskFacts {
  readonly #deps: Deps;
  readonly #journalOf: (id: string) => Journal;

  constructor(deps: Deps, journalOf: (id: string) => Journal) {
    this.#deps = deps;
    this.#journalOf = journalOf;
  }

  /**
   * Returns the key under which a question goes out. It is written down before it is shown, is new after each answer
   * and each `attempt`, and is the same in every program of the user.
   */
  async show(id: string, { questionId, ...way }: Showing, facts: Facts): Promise<string> {
    const question = this.#hashOf(questionId);
    // An unreadable file holds its name for ever.
    for (let { attempt } = way; ; attempt++) {
      const name = factName.shown({ ...way, attempt, question });
      const known = facts.shown.find((one) => factName.shown(one) === name);
      const key = known?.key ?? keyIn((await this.#create(id, name, { key: this.#deps.newId() })).current);
      if (key !== undefined) return key;
    }
  }

  /** Returns what was shown under one of these keys, if it still waits for its answer. */
  shownUnder(keys: readonly string[], questionId: string, facts: Facts): Shown | undefined {
    const question = this.#hashOf(questionId);
    const taken = this.answersTaken(facts, questionId);
    return facts.shown.find((one) => one.question === question && one.taken === taken && keys.includes(one.key));
  }

  /**
   * Takes the next answer to a question of which `taken` have been taken before. Returns false where another program
   * takes it. `follow`: what comes of it.
   */
  async takeAnswer(
    id: string,
    { questionId, taken }: { questionId: string; taken: number },
    follow: Pick<Answered, "quiet_ms" | "next">,
  ): Promise<boolean> {
    return (await this.#create(id, factName.answered(this.#hashOf(questionId), taken + 1), follow)).created;
  }

  /** Returns how many answers to a question have been taken. */
  answersTaken({ answers }: Facts, questionId: string): number {
    const question = this.#hashOf(questionId);
    return answers.filter((answer) => answer.question === question).length;
  }

  lastAnswer({ answers }: Facts, questionIds: readonly string[]): Answered | undefined {
    const questions = new Set(questionIds.map((id) => this.#hashOf(id)));
    return answers.findLast(({ question }) => questions.has(question));
  }

  async #create(id: string, name: string, value: object): Promise<Created> {
    return this.#journalOf(id).claim(name, { at: this.#deps.clock.now(), ...value });
  }

  #hashOf(questionId: string): string {
    return this.#deps.hash(questionId).slice(0, 16);
  }
}
