import autocannon from 'autocannon';

/** A server under load. Latencies in milliseconds. */
export interface LoadResult {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Requests to send in a cycle; each connection starts at another one. */
export interface LoadRequests {
  /** `http://127.0.0.1:port` */
  readonly address: string;
  readonly paths: readonly string[];
  /** Each path is sent once before any is repeated, over all connections, so that caches do not help. */
  readonly usesEachPathOnce?: boolean;
  readonly token?: string;
  /** With a body the requests are POST by default; a function creates a new body for each. */
  readonly body?: unknown;
  readonly method?: 'POST' | 'PUT';
}

export const connections = 16;

/** Only the differing part of each request is written. */
function withBody(body: unknown): Pick<autocannon.Request, 'body' | 'setupRequest'> {
  if (typeof body !== 'function') return { body: bodyText(body) };
  return { setupRequest: (request) => ({ ...request, body: bodyText(body) }) };
}

/** The text of a request's body. */
export function bodyText(body: unknown): string {
  return JSON.stringify(typeof body === 'function' ? (body as () => unknown)() : body);
}

const sentCounts = new WeakMap<LoadRequests, number>();

/** The path after the one that was last sent. */
function nextOf(requests: LoadRequests): string {
  const sentCount = sentCounts.get(requests) ?? 0;
  sentCounts.set(requests, sentCount + 1);
  return requests.paths[sentCount % requests.paths.length]!;
}

/** Keeps 16 connections busy for some seconds. Throws if a response is not 2xx: figures of failures are meaningless. */
export async function measureLoad(requests: LoadRequests, seconds: number): Promise<LoadResult> {
  const { address, paths, usesEachPathOnce, token, body, method = 'POST' } = requests;
  const allRequests: autocannon.Request[] = usesEachPathOnce
    ? [{ setupRequest: (request) => ({ ...request, path: nextOf(requests) }) }]
    : paths.map((path) => ({ path, ...(body !== undefined && { method, ...withBody(body) }) }));
  let clientCount = 0;
  const result = await autocannon({
    url: address,
    connections,
    duration: seconds,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    requests: allRequests,
    // Otherwise all of them would request the same record at a time, and wait for each other.
    setupClient: (client) => {
      const begin = Math.floor((clientCount++ % connections) * (allRequests.length / connections));
      if (begin > 0)
        client.setRequests(
          [...allRequests.slice(begin), ...allRequests.slice(0, begin)].map((request) => ({ ...request })),
        );
    },
  });
  const failed = result.errors + result.timeouts + result.non2xx;
  if (failed > 0) throw new Error(`${failed} requests to ${address}${paths[0]} failed.`);
  return {
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}
