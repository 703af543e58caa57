import { Registry } from 'prom-client';
import type { FinishedRequest } from '../requests/track-requests';
import { registerProgramMetrics, type MetricSources } from './program-metrics';
import { createRequestMetrics } from './request-metrics';
import { serveMetrics } from './serve-metrics';
import { requireValue } from '../../engine/values/lookups';

/** The metrics of a program that has a port for them. */
export interface Metrics {
  /** To be called with every finished request. */
  readonly countRequest: (request: FinishedRequest) => void;
  /** Serves them. Returns a function that stops it. */
  start(measured: MetricSources): Promise<() => Promise<void>>;
}

/** Opens the metrics; nothing is counted before. */
export function openMetrics(): Metrics {
  const register = new Registry();
  return {
    countRequest: createRequestMetrics(register),
    start(measured) {
      registerProgramMetrics(register, measured);
      const { log, settings } = measured.program;
      const { metricsPort, metricsHost } = settings.operation;
      return serveMetrics(register, { port: requireValue(metricsPort, 'METRICS_PORT'), host: metricsHost, log });
    },
  };
}
