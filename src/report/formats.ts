/** What a report can be written as; each is the ending of its file as well. */
export const FORMATS = ["html", "md", "json", "svg"] as const;

export type Format = (typeof FORMATS)[number];
