/**
 * What a span may say: ids, kinds and numbers, never names or values that a tenant has given. Undefined ones are left
 * out.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanOptions {
  kind?: 'server' | 'producer' | 'consumer';
  attributes?: SpanAttributes;
  /** Header `traceparent` of the span above; default: the current one. */
  parent?: string | undefined;
}

/** A span under way. */
export interface OpenSpan {
  set(attributes: SpanAttributes): void;
  /** Work below it that another process did: milliseconds since 1970. */
  record(name: string, time: { from: number; to: number }, attributes?: SpanAttributes): void;
  rename(name: string): void;
  fail(code: string): void;
  end(): void;
  /** Calls `work` with this span as the current one. */
  within<Result>(work: () => Result): Result;
}

export interface Tracer {
  start(name: string, options: SpanOptions): OpenSpan;
  /** Header `traceparent` of the current span. */
  current(): string | undefined;
  close(): Promise<void>;
}
