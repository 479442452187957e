/** The little of autocannon that the load measurement uses; it ships no types. */
declare module "autocannon" {
  interface Options {
    url: string;
    connections: number;
    duration: number;
    method?: string;
    headers?: Record<string, string>;
    /** Each connection sends them in turn. */
    requests?: { body: string }[];
  }
  interface Result {
    errors: number;
    non2xx: number;
    duration: number;
    "2xx": number;
  }
  interface Instance extends Promise<Result> {
    on(event: "response", listener: (client: unknown, status: number, bytes: number, ms: number) => void): void;
  }
  export default function autocannon(options: Options): Instance;
}
