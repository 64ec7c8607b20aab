import { pid } from 'node:process';
import { type Attributes, context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { OpenSpan, SpanAttributes, SpanOptions, Tracer } from './spans.ts';

const KINDS: Record<NonNullable<SpanOptions['kind']>, SpanKind> = {
  server: SpanKind.SERVER,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** By the SDK of OpenTelemetry. Sampling and headers of the exporter are read from its variables, `OTEL_…`. */
export function createTracer({ endpoint, version }: { endpoint: string; version: string }): Tracer {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'heterosis',
      'service.version': version,
      'process.pid': pid,
    }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  provider.register();
  const spans = provider.getTracer('heterosis', version);

  function open(span: Span): OpenSpan {
    const own = trace.setSpan(context.active(), span);
    return {
      set: (attributes) => void span.setAttributes(known(attributes)),
      record(name, { from, to }, attributes = {}) {
        spans.startSpan(name, { startTime: from, attributes: known(attributes) }, own).end(to);
      },
      rename: (name) => void span.updateName(name),
      fail: (code) => void span.setStatus({ code: SpanStatusCode.ERROR, message: code }),
      end: () => span.end(),
      within: (work) => context.with(own, work),
    };
  }

  return {
    start(name, { kind, attributes = {}, parent }) {
      const above =
        parent === undefined ? context.active() : propagation.extract(context.active(), { traceparent: parent });
      const options = { attributes: known(attributes), ...(kind === undefined ? {} : { kind: KINDS[kind] }) };
      return open(spans.startSpan(name, options, above));
    },
    current() {
      const carrier: { traceparent?: string } = {};
      propagation.inject(context.active(), carrier);
      return carrier.traceparent;
    },
    async close() {
      await provider.shutdown();
      for (const one of [context, propagation, trace]) one.disable();
    },
  };
}

const known = (attributes: SpanAttributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
