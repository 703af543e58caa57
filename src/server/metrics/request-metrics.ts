import { Counter, Histogram, type Registry } from 'prom-client';
import type { FinishedRequest } from '../requests/track-requests';

/** Seconds: from a cached response to the timeout of a proxy. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const otherLabel = 'other';

interface Counters {
  count: { inc(): void };
  time: { observe(seconds: number): void };
}

/**
 * Counts requests and their duration by the template of their path, never by the path itself, which anybody can make
 * up. The counters of a route, method and code are looked up once and cached: that costs a request well below a
 * microsecond.
 */
export function createRequestMetrics(register: Registry): (request: FinishedRequest) => void {
  const requests = new Counter({
    name: 'assay_http_requests_total',
    help: 'Requests by method, route and status code (499: the client disconnected).',
    labelNames: ['method', 'route', 'code'],
    registers: [register],
  });
  const seconds = new Histogram({
    name: 'assay_http_request_duration_seconds',
    help: 'Time from the start of a request to the end of its response. Event streams are left out.',
    labelNames: ['method', 'route'],
    buckets,
    registers: [register],
  });
  const countersByName = new Map<string, Counters>();

  return ({ method, route = otherLabel, status, seconds: duration, isEventStream }) => {
    const key = `${method} ${route} ${status}`;
    let counters = countersByName.get(key);
    if (!counters) {
      const path = pathLabel(route);
      const verb = methods.has(method) ? method : otherLabel;
      counters = { count: requests.labels(verb, path, String(status)), time: seconds.labels(verb, path) };
      countersByName.set(key, counters);
    }
    counters.count.inc();
    if (!isEventStream) counters.time.observe(duration);
  };
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The files of the browser application have one route each, with new names in every version. */
function pathLabel(route: string): string {
  return route.startsWith('/api') || route === otherLabel ? route : 'application';
}
