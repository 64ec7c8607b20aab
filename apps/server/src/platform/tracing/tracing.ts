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

let tracer: Tracer | undefined;

/** Sends traces of this process to a collector from now on; returns what ends that. */
export async function startTracing(options: {
  /** Base address of a collector that takes OTLP over HTTP. */
  endpoint: string;
  version: string;
}): Promise<() => Promise<void>> {
  // Loaded only here: without a collector no process has it.
  const { createTracer } = await import('./otlp-tracer.ts');
  const started = createTracer(options);
  tracer = started;
  return async () => {
    tracer = undefined;
    await started.close();
  };
}

/** Header `traceparent` for whatever goes on elsewhere; undefined without tracing. */
export const currentTrace = (): string | undefined => tracer?.current();

/** Undefined without tracing. */
export const startSpan = (name: string, options: SpanOptions = {}): OpenSpan | undefined =>
  tracer?.start(name, options);

/** Does work within a span; what it throws fails the span by its code. */
export async function traced<Result>(
  name: string,
  options: SpanOptions,
  work: (span: OpenSpan | undefined) => Promise<Result>,
): Promise<Result> {
  const span = startSpan(name, options);
  if (span === undefined) return await work(undefined);
  try {
    return await span.within(() => work(span));
  } catch (error) {
    // A message may contain names; a code does not.
    const { code } = (error ?? {}) as { code?: unknown };
    span.fail(typeof code === 'string' ? code : 'error');
    throw error;
  } finally {
    span.end();
  }
}
