/**
 * The shape of another language. Its sentences take the same arguments and stand in the same places as those of the
 * first language.
 */
export type SameShape<T> = T extends string
  ? string
  : T extends (...args: infer A) => string
    ? (...args: A) => string
    : { readonly [K in keyof T]: SameShape<T[K]> };
