import { Counter, Histogram, type Registry } from 'prom-client';
import type { FinishedRequest } from '../requests/follow-requests';

/** Seconds: from what a cached answer takes to what a proxy gives up after. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const others = 'other';

interface Counters {
  count: { inc(): void };
  time: { observe(seconds: number): void };
}

/**
 * Counts requests and their time by the template of their path, never by the path itself, which anybody can make up.
 * What belongs to a route, method and code is looked up once and kept: that costs the request well below a microsecond.
 */
export function requestMetrics(register: Registry): (request: FinishedRequest) => void {
  const requests = new Counter({
    name: 'assay_http_requests_total',
    help: 'Requests that were answered, by method, route and status code (499: the client hung up before).',
    labelNames: ['method', 'route', 'code'],
    registers: [register],
  });
  const seconds = new Histogram({
    name: 'assay_http_request_duration_seconds',
    help: 'Time from the beginning of a request to the end of its answer. Streams of events are left out.',
    labelNames: ['method', 'route'],
    buckets,
    registers: [register],
  });
  const known = new Map<string, Counters>();

  return ({ method, route = others, status, seconds: taken, stream }) => {
    const key = `${method} ${route} ${status}`;
    let counters = known.get(key);
    if (!counters) {
      const path = pathLabel(route);
      const verb = methods.has(method) ? method : others;
      counters = { count: requests.labels(verb, path, String(status)), time: seconds.labels(verb, path) };
      known.set(key, counters);
    }
    counters.count.inc();
    if (!stream) counters.time.observe(taken);
  };
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The files of the browser's application have a route each, with a new name in every version. */
function pathLabel(route: string): string {
  return route.startsWith('/api') || route === others ? route : 'application';
}
