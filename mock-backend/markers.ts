/**
 * Faults of one negotiation, written into its intent as the recordings have them:
 * `[[center=fail]]`, `[[formulated=any text]]`, …
 */
export interface Markers {
  formulation?: string;
  /** The exact formulated text. */
  formulated?: string;
  center?: string;
  resonate?: string;
  offers?: string;
  /** In an agent's bio: how this agent answers. */
  offer?: string;
  encode?: string;
}

const MARKER = /\[\[(formulation|formulated|center|resonate|offers|offer|encode)=([\s\S]*?)\]\](?!\])/g;

export function markersOf(text: string): Markers {
  const markers: Markers = {};
  for (const [, name, value] of text.matchAll(MARKER)) markers[name as keyof Markers] = value ?? "";
  return markers;
}

export function withoutMarkers(text: string): string {
  return text.replace(MARKER, "").replace(/ {2,}/g, " ").trim();
}
