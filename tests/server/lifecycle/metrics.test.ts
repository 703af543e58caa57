// @module-tag slow
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { startServerProcess, type ServerProcess } from '../modules/server-process';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { freePort } from '../../../src/server/database/embedded/free-port';

let database: TestDatabase;
let server: ServerProcess;
let metricsPort: number;

beforeAll(async () => {
  database = await createTestDatabase(inject('demo'));
  metricsPort = await freePort();
  server = await startServerProcess(database.url, { METRICS_PORT: String(metricsPort) });
});
afterAll(async () => {
  await server?.kill();
  await database?.close();
});

async function scrape(path = '/metrics') {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}${path}`);
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
}

/** The value of a line, by its name with labels in any order; undefined where there is none. */
function valueOf(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const line = text.split('\n').find((one) => {
    return (one.startsWith(`${name} `) || one.startsWith(`${name}{`)) && wanted.every((label) => one.includes(label));
  });
  return line === undefined ? undefined : Number(line.split(' ').pop());
}

test('metrics cover requests by route template, and everything that can fill up', async () => {
  for (const id of [1, 2, 3]) await server.admin('GET', `/user-status/${id}`);
  await server.admin('GET', '/user-status/999999');
  await server.admin('GET', '/made-up-by-a-stranger/7/x/y');
  const stream = new AbortController();
  await server.admin.stream('/events', stream.signal);
  const { status, type, text } = await scrape();
  expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  const route = '/api/:resource/:id';
  expect(valueOf(text, 'assay_http_requests_total', { method: 'GET', route, code: '200' })).toBe(3);
  expect(valueOf(text, 'assay_http_requests_total', { method: 'GET', route, code: '404' })).toBe(1);
  expect(valueOf(text, 'assay_http_request_duration_seconds_count', { method: 'GET', route })).toBe(4);
  expect(valueOf(text, 'assay_http_requests_total', { route: 'other', code: '404' })).toBe(1);
  expect(text).not.toContain('made-up');
  for (const [name, labels, least] of [
    ['assay_http_requests_in_flight', {}, 1],
    ['assay_live_streams', {}, 1],
    ['assay_database_pool_connections', { state: 'total' }, 1],
    ['assay_database_pool_waiting', {}, 0],
    ['assay_calls', { state: 'waiting' }, 0],
    ['assay_calls_refused_total', { reason: 'full' }, 0],
    ['assay_cache_hits_total', { cache: 'access' }, 1],
    ['assay_cache_entries', { cache: 'access' }, 1],
    ['assay_queue_entries', { queue: 'jobs', state: 'waiting' }, 0],
    ['assay_queue_entries', { queue: 'mails', state: 'failing' }, 0],
    ['assay_ready', {}, 1],
    ['nodejs_eventloop_lag_p99_seconds', {}, 0],
    ['process_resident_memory_bytes', {}, 1],
  ] as const) {
    expect(valueOf(text, name, labels) ?? NaN, name).toBeGreaterThanOrEqual(least);
  }
  stream.abort();
  await vi.waitFor(async () => expect(valueOf((await scrape()).text, 'assay_live_streams')).toBe(0));
});

test('metrics are only at their own port, and nothing else is there', async () => {
  expect((await server.admin('GET', '/metrics')).status).toBe(404);
  expect((await scrape('/api/health')).status).toBe(404);
  expect((await scrape('/')).status).toBe(404);
});

test('the alerts use existing metrics and labels', async () => {
  const { text } = await scrape();
  const rules = readFileSync('deploy/alerts.yml', 'utf8');
  const source = readFileSync('src/server/metrics/program-metrics.ts', 'utf8');
  const asked = [...rules.matchAll(/^ +expr: (.*)$/gm)].flatMap(([, expr]) =>
    [...expr!.matchAll(/\b((?:assay|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)].map(([, name, labels]) => ({
      name,
      labels,
    })),
  );
  expect(asked.length).toBeGreaterThan(8);
  for (const { name, labels = '' } of asked) {
    // What nothing waits in has no line, and yet says what it is.
    const base = name!.replace(/_bucket$/, '');
    // This server has its database elsewhere, and no replicas.
    if (/^assay_(embedded|database_replica)_/.test(base)) expect(source).toContain(`'${base}'`);
    else expect(text).toContain(`# TYPE ${base} `);
    const first = text.split('\n').find((line) => line.startsWith(`${name}{`));
    for (const [, label] of labels.matchAll(/(\w+)(?:=~|!=|=)/g)) {
      if (first !== undefined && label !== 'job') expect(first).toContain(`${label}="`);
    }
  }
  expect(rules.match(/^ +- alert: /gm)!.length).toBe(rules.match(/^ {10}description: \S/gm)!.length);
});

test('a clean stop ends with 0 and logs no warning', async () => {
  expect(await server.stop('SIGTERM')).toBe(0);
  const lines = server
    .said()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: number; msg: string });
  expect(lines.at(-1)!.msg).toBe('Assay has stopped');
  const unusual = lines.filter(({ level, msg }) => level > 30 && !/^A (request|statement) was slow$/.test(msg));
  expect(unusual).toEqual([]);
});
