import autocannon from 'autocannon';

/** What a server did under load. Latencies in milliseconds. */
export interface Figures {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Requests to send, one after the other and from the start again, on each connection. */
export interface Requests {
  /** `http://127.0.0.1:port` */
  readonly address: string;
  readonly paths: readonly string[];
  readonly token?: string;
  /** With a body the requests are POST. */
  readonly body?: unknown;
}

export const connections = 16;

/** Keeps 16 connections busy for some seconds. Throws where an answer is not 2xx: figures of failures mean nothing. */
export async function load({ address, paths, token, body }: Requests, seconds: number): Promise<Figures> {
  const result = await autocannon({
    url: address,
    connections,
    duration: seconds,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    requests: paths.map((path) => ({
      path,
      ...(body !== undefined && { method: 'POST' as const, body: JSON.stringify(body) }),
    })),
  });
  const failed = result.errors + result.timeouts + result.non2xx;
  if (failed > 0) throw new Error(`${failed} requests to ${address}${paths[0]} failed.`);
  return {
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}
