import type { OpenSpan, SpanOptions, Tracer } from './spans.ts';

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
