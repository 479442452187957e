/** The formats of a report. The name of a format is also the extension of its file. */
export const FORMATS = ["html", "md", "json", "svg"] as const;

export type Format = (typeof FORMATS)[number];
