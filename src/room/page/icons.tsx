import type { JSX } from "preact";

const PATHS = {
  pen: "m10.5 3 2.5 2.5L5.5 13 2.5 13.5 3 10.5z",
  cast: "M5 11a4.2 4.2 0 0 1 0-6M11 5a4.2 4.2 0 0 1 0 6M2.8 13a7.2 7.2 0 0 1 0-10M13.2 3a7.2 7.2 0 0 1 0 10M8 6.6a1.4 1.4 0 1 0 0 2.8a1.4 1.4 0 1 0 0-2.8",
  me: "M8 2.6a2.6 2.6 0 1 0 0 5.2a2.6 2.6 0 1 0 0-5.2M3 13.5c.6-2.8 2.5-4.2 5-4.2s4.4 1.4 5 4.2",
  net: "M8 2a1.5 1.5 0 1 0 0 3a1.5 1.5 0 1 0 0-3M3.5 10a1.5 1.5 0 1 0 0 3a1.5 1.5 0 1 0 0-3M12.5 10a1.5 1.5 0 1 0 0 3a1.5 1.5 0 1 0 0-3M7.3 4.9 4.2 10.2M8.7 4.9l3.1 5.3M5 11.5h6",
  plug: "M6 2v3M10 2v3M4 5h8v2.5a4 4 0 0 1-8 0zM8 11.5V14",
  doc: "M4 2h5l3 3v9H4zM9 2v3h3M6 8.5h4M6 11h4",
  copy: "M5.5 5.5h8v8h-8zm5 0v-3h-8v8h3",
  print: "M4.5 6V2.5h7V6M4.5 12H2.5V6h11v6h-2M4.5 10h7v3.5h-7z",
  eye: "M2 8s2.2-4 6-4 6 4 6 4-2.2 4-6 4-6-4-6-4M8 6.3a1.7 1.7 0 1 0 0 3.4a1.7 1.7 0 1 0 0-3.4",
  on: "M3 8h10M9 4l4 4-4 4",
  find: "M7 3a4 4 0 1 0 0 8a4 4 0 1 0 0-8M10 10l3.5 3.5",
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { name: IconName }): JSX.Element => (
  <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);
