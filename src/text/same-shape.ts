/**
 * The shape of the texts in another language. Its sentences take the same arguments and stand at the same keys as
 * those of the first language.
 */
export type SameShape<T> = T extends string
  ? string
  : T extends (...args: infer A) => string
    ? (...args: A) => string
    : { readonly [K in keyof T]: SameShape<T[K]> };
