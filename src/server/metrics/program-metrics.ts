import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { EmbeddedServer } from '../database/embedded/start-embedded';
import type { Probe } from '../database/probe';
import type { ListeningServer } from '../http/listening-server';
import { openStreamCount } from '../events/stream-count';
import type { AdmissionCounts } from '../overload/admission';
import type { Program } from '../program';
import { queryCacheOf } from '../sql/query-cache';
import { accessCacheOf } from '../accounts/session/access-cache';

/** The sources of the metrics. */
export interface MetricSources {
  readonly program: Program;
  readonly front: ListeningServer;
  readonly probe: Probe;
  readonly embedded?: EmbeddedServer;
  admission(): AdmissionCounts;
}

interface QueueRow {
  readonly queue: 'jobs' | 'mails';
  readonly state: string;
  readonly count: number;
  readonly oldest: number;
}

interface Snapshot {
  readonly ready: boolean;
  readonly rows: readonly QueueRow[] | undefined;
}

const snapshotLifetime = 500;

/**
 * Counts the queues in the database in one statement; the seconds are the age of the oldest entry. Mails that failed so
 * far are `failing`, those given up are `failed`.
 */
const queueStatement = `
  select 'jobs' as queue, state, count(*)::int as count,
    coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest from assay.jobs group by state
  union all
  select 'mails', case when failed_at is not null then 'failed' when attempts = 0 then 'waiting' else 'failing' end, count(*)::int,
    coalesce(extract(epoch from now() - min(created_at)), 0)::float8 from assay.mails group by 2`;

const states = { jobs: ['waiting', 'running', 'done', 'failed', 'cancelled'], mails: ['waiting', 'failing', 'failed'] };
const unfinishedStates = new Set(['waiting', 'running', 'failing']);

/** Registers all metrics except requests. They are collected on each scrape, so they cost nothing in between. */
export function registerProgramMetrics(
  register: Registry,
  { program, front, probe, embedded, admission }: MetricSources,
): void {
  collectDefaultMetrics({ register });
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers: [register],
      collect() {
        this.set(read());
      },
    });
  };
  const registerGauge = (
    name: string,
    help: string,
    label: string,
    read: () => Readonly<Record<string, number>>,
  ): void => {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [register],
      collect() {
        for (const [value, number] of Object.entries(read())) this.set({ [label]: value }, number);
      },
    });
  };

  const { pool } = program.database;
  const [access, totals] = [accessCacheOf(program.database), queryCacheOf(program.database)];
  gauge('assay_http_requests_in_flight', 'Requests in progress, event streams included.', front.inFlight);
  gauge('assay_live_streams', 'Open event streams.', () => openStreamCount(program.live));
  registerGauge(
    'assay_database_pool_connections',
    'Connections to the database: open ones, and those of them that are idle.',
    'state',
    () => ({
      total: pool.totalCount,
      idle: pool.idleCount,
    }),
  );
  gauge(
    'assay_database_pool_waiting',
    'Statements that wait for a connection to the database.',
    () => pool.waitingCount,
  );
  const { replicas } = program.database;
  if (replicas) {
    registerGauge(
      'assay_database_reads_total',
      'Reads of requests that only read, by the server that answered: the primary, or a replica.',
      'server',
      () => replicas.counts.reads,
    );
    gauge(
      'assay_database_reads_repeated_total',
      'Reads that failed on a replica and were repeated on the primary.',
      () => replicas.counts.repeated,
    );
    registerGauge(
      'assay_database_replica_used',
      '1 while a replica answers reads, 0 while it is left out because it is down or behind.',
      'server',
      () => replicas.counts.used,
    );
  }
  registerGauge('assay_calls', 'API calls that run, and API calls that wait for a slot.', 'state', () => ({
    running: admission().running,
    waiting: admission().waiting,
  }));
  registerGauge(
    'assay_calls_refused_total',
    'API calls that were rejected at once, and API calls that timed out waiting for a slot.',
    'reason',
    () => ({
      full: admission().rejected,
      late: admission().expired,
    }),
  );
  registerGauge('assay_cache_entries', 'Entries by cache.', 'cache', () => ({
    access: access.counts.entries,
    totals: totals.stats.entries,
  }));
  registerGauge('assay_cache_hits_total', 'Hits by cache.', 'cache', () => ({
    access: access.counts.hits,
    totals: totals.stats.hits,
  }));
  registerGauge('assay_cache_misses_total', 'Misses by cache.', 'cache', () => ({
    access: access.counts.misses,
    totals: totals.stats.misses,
  }));
  if (embedded) {
    gauge(
      'assay_embedded_database_restarts_total',
      'How often the embedded database crashed and was restarted.',
      embedded.restarts,
    );
  }

  // One query for all metrics of a scrape.
  let cachedSnapshot: { readonly answer: Promise<Snapshot>; readonly until: number } | undefined;
  const snapshot = (): Promise<Snapshot> => {
    if (!cachedSnapshot || cachedSnapshot.until < Date.now())
      cachedSnapshot = { answer: takeSnapshot(), until: Date.now() + snapshotLifetime };
    return cachedSnapshot.answer;
  };
  const takeSnapshot = async (): Promise<Snapshot> => {
    const { status } = await front.health.respond('/api/health/ready')!;
    // Unavailable values are left out: zero would be wrong.
    return {
      ready: status === 200,
      rows: status === 200 ? await probe.queryRows<QueueRow>(queueStatement) : undefined,
    };
  };

  new Gauge({
    name: 'assay_ready',
    help: '1 when requests can be served, as in health/ready; 0 otherwise.',
    registers: [register],
    async collect() {
      this.set((await snapshot()).ready ? 1 : 0);
    },
  });
  new Gauge({
    name: 'assay_queue_entries',
    help: 'Jobs and mails by state; the same on all servers of one database.',
    labelNames: ['queue', 'state'],
    registers: [register],
    async collect() {
      const { rows } = await snapshot();
      this.reset();
      if (!rows) return;
      for (const [queue, queueStates] of Object.entries(states))
        for (const state of queueStates) this.set({ queue, state }, 0);
      for (const { queue, state, count } of rows) this.set({ queue, state }, count);
    },
  });
  new Gauge({
    name: 'assay_queue_oldest_seconds',
    help: 'Age in seconds of the oldest unfinished job or mail by state.',
    labelNames: ['queue', 'state'],
    registers: [register],
    async collect() {
      const { rows = [] } = await snapshot();
      this.reset();
      for (const { queue, state, oldest } of rows) if (unfinishedStates.has(state)) this.set({ queue, state }, oldest);
    },
  });
}
