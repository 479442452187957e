/** A refusal that the wire words as `{"detail": …}`. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly status: 400 | 401 | 404 | 409;

  constructor(status: 400 | 401 | 404 | 409, detail: string) {
    super(detail);
    this.status = status;
  }
}
