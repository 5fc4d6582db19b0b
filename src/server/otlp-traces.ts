import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, RandomIdGenerator } from '@opentelemetry/sdk-trace-base';
import type { TraceService } from '../config.ts';
import type { TracePort } from './traces.ts';

/** Sends a span for each request to a collector, as OTLP over HTTP. Loaded only if a collector is configured. */
export function otlpTraces({ endpoint, headers, service }: TraceService, version: string): TracePort {
  const random = new RandomIdGenerator();
  // A trace that starts here has the same id as in the log.
  let nextTraceId = '';
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
    idGenerator: { generateTraceId: () => nextTraceId, generateSpanId: () => random.generateSpanId() },
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers }))],
  });
  const tracer = provider.getTracer('lotbook', version);
  return {
    begin: ({ traceId, parentId, sampled }, method) => {
      const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
      const parent = parentId === null ? null : { traceId, spanId: parentId, traceFlags, isRemote: true };
      const context = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
      nextTraceId = traceId;
      const attributes = { 'http.request.method': method };
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, context);
      return {
        end: ({ route, status }) => {
          if (route !== null) {
            span.updateName(`${method} ${route}`);
            span.setAttribute('http.route', route);
          }
          span.setAttribute('http.response.status_code', status);
          if (status >= serverError) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    close: () => provider.shutdown(),
  };
}

const serverError = 500;
