/** What the benchmark uses; the package has no types. */
declare module 'autocannon' {
  export interface Result {
    '2xx': number;
    non2xx: number;
    errors: number;
    timeouts: number;
    /** Milliseconds. */
    latency: { p50: number; p97_5: number; p99: number; max: number };
    requests: { average: number };
  }
  export default function autocannon(options: {
    url: string;
    connections: number;
    duration: number;
    headers?: Record<string, string>;
    /** Sent in turn by each connection. */
    requests?: { method: string; path: string }[];
  }): Promise<Result>;
}
