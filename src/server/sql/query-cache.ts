import { tableOf } from '../../engine/definitions/labels';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { isRelations } from '../../engine/field-types/relations';
import { isRows } from '../../engine/field-types/rows';
import type { Database } from '../database/database';
import { pairTable } from '../database/identifiers';
import type { Statement } from '../database/statements';
import { bytesOf, createByteCache, textId } from '../limits/byte-cache';
import { anyResource, type LiveHub } from '../live/live-hub';
import { firstOf, itemAt } from '../../engine/values/lookups';

const MAX_BYTES = 12_000_000;
/** The bytes of an entry beside its rows. */
const ENTRY_BYTES = 600;
/** A limit for writes that are not announced, such as manual ones. */
const MAX_AGE = 15_000;

/**
 * From this duration on (milliseconds), counting in a large table is slow, and its results may lag behind the latest
 * writes. Results of ordinary tables never do, however busy the machine is.
 */
const SLOW_QUERY = 200;
/** A table is large from this many rows on, by PostgreSQL's own estimate. */
const LARGE_TABLE_ROWS = 500_000;
/** Milliseconds for which the list of large tables is reused. */
const TABLE_SIZES_MAX_AGE = 60_000;
/** A slow result is kept for this multiple of its duration, so that counting takes at most a twentieth of the time. */
const LIFETIME_FACTOR = 20;
/** Milliseconds after which a slow result is no longer used, not even while it is refreshed. */
const MAX_STALE_AGE = 30_000;

interface CacheEntry {
  readonly tables: readonly string[];
  readonly versions: string;
  readonly startedAt: number;
  readonly rows: Promise<readonly ResourceRecord[]>;
  /** Duration in milliseconds; undefined while the query is running. */
  duration?: number;
  /** Bytes of the rows; undefined while the query is running. */
  bytes?: number;
  /** It is being refreshed. */
  isRefreshing?: true;
}

/**
 * Caches query results until one of their tables changes: counting a large table costs more than the page beside it.
 * Every committed write increments the versions of its tables, which invalidates older results. A slow result of a
 * large table is still used for a while after a write and refreshed in the background; otherwise everybody who opens a
 * list of millions would count it after each write.
 */
export class QueryCache {
  private readonly entries = createByteCache<CacheEntry>(MAX_BYTES, ({ bytes = 0 }) => ENTRY_BYTES + bytes);
  private readonly versions = new Map<string, number>();
  private hits = 0;
  private misses = 0;
  private largeTables: ReadonlySet<string> = new Set();
  private sizesLoadedAt = -Infinity;

  constructor(private readonly database: Database) {}

  /** The number that a statement returns as `total`, counted at most once between two writes. */
  async count(statement: Statement, registry: Registry): Promise<number> {
    const row = firstOf(await this.rows(statement, registry));
    return row.total as number;
  }

  /** The last cached `total` of a statement, if any, and whether it is still usable. */
  async lastTotal(statement: Statement): Promise<{ total: number; isGood: boolean } | undefined> {
    const entry = this.entries.get(statementKey(statement));
    // One that is still being counted may take any time, or fail.
    if (entry?.duration === undefined) return undefined;
    const isGood = this.isGood(entry);
    if (isGood) this.hits++;
    return entry.rows.then((rows) => ({ total: firstOf(rows).total as number, isGood }));
  }

  /** Caches a `total` that another query computes from now on; undefined: it has none. */
  addTotal(statement: Statement, registry: Registry, total: Promise<number | undefined>): void {
    this.misses++;
    const key = statementKey(statement);
    const tables = tablesNamedIn(statement.sql, registry);
    const [versions, startTime] = [this.versionsOf(tables), Date.now()];
    total.then(
      (value) => {
        if (value === undefined) return;
        const took = Date.now() - startTime;
        this.entries.set(key, {
          tables,
          versions,
          startedAt: startTime,
          duration: took,
          rows: Promise.resolve([{ total: value }]),
        });
        if (took >= SLOW_QUERY) this.loadTableSizes();
      },
      () => undefined,
    );
  }

  /** The rows of a statement, queried at most once between two writes to its tables. Must not be modified. */
  rows(statement: Statement, registry: Registry): Promise<readonly ResourceRecord[]> {
    const key = statementKey(statement);
    const entry = this.entries.get(key);
    if (entry && this.isGood(entry)) {
      this.hits++;
      return entry.rows;
    }
    this.misses++;
    if (entry && this.isSlow(entry) && Date.now() - entry.startedAt < MAX_STALE_AGE) {
      if (!entry.isRefreshing) {
        entry.isRefreshing = true;
        this.read(key, statement, registry).then(
          (refreshedEntry) => this.entries.peek(key) === entry && this.entries.set(key, refreshedEntry),
          () => delete entry.isRefreshing,
        );
      }
      return entry.rows;
    }
    const startedEntry = this.startQuery(key, statement, registry);
    this.entries.set(key, startedEntry);
    return startedEntry.rows;
  }

  /** As `rows`, but never older than the last write. `read` returns the same rows, perhaps faster. */
  freshRows(
    statement: Statement,
    registry: Registry,
    refresh: () => Promise<readonly ResourceRecord[]>,
  ): Promise<readonly ResourceRecord[]> {
    const key = statementKey(statement);
    const entry = this.entries.get(key);
    if (entry && this.isCurrent(entry)) {
      this.hits++;
      return entry.rows;
    }
    this.misses++;
    const startedEntry = this.start(key, tablesNamedIn(statement.sql, registry), refresh);
    this.entries.set(key, startedEntry);
    return startedEntry.rows;
  }

  private isGood(entry: CacheEntry): boolean {
    const age = Date.now() - entry.startedAt;
    if (this.isSlow(entry) && age < Math.min(MAX_AGE, durationOf(entry) * LIFETIME_FACTOR)) return true;
    return this.isCurrent(entry);
  }

  private isCurrent({ startedAt, versions, tables }: CacheEntry): boolean {
    return Date.now() - startedAt < MAX_AGE && versions === this.versionsOf(tables);
  }

  private startQuery(key: string, statement: Statement, registry: Registry): CacheEntry {
    return this.start(key, tablesNamedIn(statement.sql, registry), () => this.database.query(statement));
  }

  private start(key: string, tables: readonly string[], read: () => Promise<readonly ResourceRecord[]>): CacheEntry {
    const versions = this.versionsOf(tables);
    const startTime = Date.now();
    const entry: CacheEntry = { tables, versions, startedAt: startTime, rows: read() };
    entry.rows.then(
      (rows) => {
        entry.duration = Date.now() - startTime;
        entry.bytes = bytesOf(rows);
        // Its size is known only now.
        if (this.entries.peek(key) === entry) {
          this.entries.delete(key);
          this.entries.set(key, entry);
        }
        if (entry.duration >= SLOW_QUERY) this.loadTableSizes();
      },
      () => this.entries.peek(key) === entry && this.entries.delete(key),
    );
    return entry;
  }

  private isSlow(entry: CacheEntry): boolean {
    return durationOf(entry) >= SLOW_QUERY && entry.tables.some((table) => this.largeTables.has(table));
  }

  /** Finds out which tables are large, once a query was slow. */
  private loadTableSizes(): void {
    if (Date.now() - this.sizesLoadedAt < TABLE_SIZES_MAX_AGE) return;
    this.sizesLoadedAt = Date.now();
    this.database.query({ sql: largeTablesQuery, parameters: [LARGE_TABLE_ROWS] }).then(
      (rows) => (this.largeTables = new Set(rows.map(({ name }) => name as string))),
      () => (this.sizesLoadedAt = -Infinity),
    );
  }

  /** Runs the query again while the old result is still used. */
  private async read(key: string, statement: Statement, registry: Registry): Promise<CacheEntry> {
    const entry = this.startQuery(key, statement, registry);
    await entry.rows;
    return entry;
  }

  /** The number of entries and their bytes, and how often they were used. */
  get stats(): { entries: number; bytes: number; hits: number; misses: number } {
    return { entries: this.entries.size, bytes: this.entries.calculatedSize, hits: this.hits, misses: this.misses };
  }

  /** Marks tables as changed (a resource's pairs and rows count as its table). */
  invalidate(...tables: readonly string[]): void {
    for (const table of tables) this.versions.set(table, (this.versions.get(table) ?? 0) + 1);
  }

  /** Clears the cache: anything may have changed. */
  clear(): void {
    this.entries.clear();
  }

  private versionsOf(tables: readonly string[]): string {
    return tables.map((table) => this.versions.get(table) ?? 0).join();
  }
}

const secondLength = '2026-11-16T14:30:00'.length;

/** Of the time of a request only the second counts: a result that depends on it is at most one second old. */
function statementKey({ sql, parameters, instants }: Statement): string {
  const comparedValues = instants
    ? parameters.map((value, index) => (instants.includes(index) ? String(value).slice(0, secondLength) : value))
    : parameters;
  return `${textId(sql)} ${JSON.stringify(comparedValues)}`;
}

const largeTablesQuery = `select c.relname::text as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.reltuples >= $1`;

/** Duration in milliseconds, so far if it is still running. */
function durationOf({ duration, startedAt }: CacheEntry): number {
  return duration ?? Date.now() - startedAt;
}

/** The tables of resources that a statement names. A column with the same name only causes extra invalidation. */
function tablesNamedIn(sql: string, registry: Registry): string[] {
  const names = new Set(Array.from(sql.matchAll(/"([^"]+)"/g), (match) => itemAt(match, 1)));
  return [...registry.definitions.values()]
    .filter((definition) => [definition.table, ...sideTables(definition)].some((name) => names.has(name)))
    .map(({ table }) => table);
}

function sideTables(definition: Definition): string[] {
  return Object.values(definition.fields)
    .filter((field) => isRelations(field) || isRows(field))
    .map((field) => pairTable(definition, field));
}

const queryCaches = new WeakMap<Database, QueryCache>();

/** The query cache of a database: one per process. */
export function queryCacheOf({ root }: Database): QueryCache {
  let entry = queryCaches.get(root);
  if (!entry) queryCaches.set(root, (entry = new QueryCache(root)));
  return entry;
}

/**
 * Invalidates cached results on writes, including those of other processes on the same database. Returns a function
 * that stops.
 */
export function invalidateOnWrites(database: Database, live: LiveHub): () => void {
  return live.subscribe(({ resource }) =>
    resource === anyResource ? queryCacheOf(database).clear() : queryCacheOf(database).invalidate(tableOf(resource)),
  );
}
