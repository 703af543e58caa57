import { LRUCache } from 'lru-cache';
import { tableOf } from '../../engine/definitions/labels';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import type { Database } from '../database/database';
import { pairTable } from '../database/names';
import type { Statement } from '../database/statements';
import { everything, type LiveHub } from '../program';

const CAPACITY = 5_000;
/** A limit for writes that are not announced, such as manual ones. */
const LONGEST_LIFE = 15_000;

/**
 * From this duration on (milliseconds), counting in a large table is slow, and its results may lag behind the latest
 * writes. Results of ordinary tables never do, however busy the machine is.
 */
const COSTLY = 200;
/** A table is large from this many rows on, by PostgreSQL's own estimate. */
const LARGE = 500_000;
/** Milliseconds for which the list of large tables is reused. */
const SIZES_LIFE = 60_000;
/** A slow result is kept for this multiple of its duration, so that counting takes at most a twentieth of the time. */
const KEPT_TIMES = 20;
/** Milliseconds after which a slow result is no longer used, not even while it is refreshed. */
const OLDEST = 30_000;

interface Remembered {
  readonly tables: readonly string[];
  readonly versions: string;
  readonly since: number;
  readonly rows: Promise<readonly ResourceRecord[]>;
  /** Duration in milliseconds; undefined while the query is running. */
  took?: number;
  /** It is being refreshed. */
  renewed?: true;
}

/**
 * Caches query results until one of their tables changes: counting a large table costs more than the page beside it.
 * Every committed write increments the versions of its tables, which invalidates older results. A slow result of a
 * large table is still used for a while after a write and refreshed in the background; otherwise everybody who opens a
 * list of millions would count it after each write.
 */
export class Totals {
  private readonly kept = new LRUCache<string, Remembered>({ max: CAPACITY });
  private readonly versions = new Map<string, number>();
  private hits = 0;
  private misses = 0;
  private large: ReadonlySet<string> = new Set();
  private sizedAt = -Infinity;

  constructor(private readonly database: Database) {}

  /** The number that a statement returns as `total`, counted at most once between two writes. */
  async count(statement: Statement, registry: Registry): Promise<number> {
    const [row] = await this.rows(statement, registry);
    return row!.total as number;
  }

  /** The last cached `total` of a statement, if any, and whether it is still usable. */
  async last(statement: Statement): Promise<{ total: number; isGood: boolean } | undefined> {
    const entry = this.kept.get(keyOf(statement));
    if (!entry) return undefined;
    const isGood = this.isGood(entry);
    if (isGood) this.hits++;
    return entry.rows.then(([row]) => ({ total: row!.total as number, isGood }));
  }

  /** Caches a `total` that another query computes from now on; undefined: it has none. */
  learn(statement: Statement, registry: Registry, total: Promise<number | undefined>): void {
    this.misses++;
    const key = keyOf(statement);
    const tables = tablesIn(statement.sql, registry);
    const [versions, since] = [this.versionsOf(tables), Date.now()];
    total.then(
      (value) => {
        if (value === undefined) return;
        const took = Date.now() - since;
        this.kept.set(key, { tables, versions, since, took, rows: Promise.resolve([{ total: value }]) });
        if (took >= COSTLY) this.size();
      },
      () => undefined,
    );
  }

  /** The rows of a statement, queried at most once between two writes to its tables. Must not be modified. */
  rows(statement: Statement, registry: Registry): Promise<readonly ResourceRecord[]> {
    const key = keyOf(statement);
    const entry = this.kept.get(key);
    if (entry && this.isGood(entry)) {
      this.hits++;
      return entry.rows;
    }
    this.misses++;
    if (entry && this.isCostly(entry) && Date.now() - entry.since < OLDEST) {
      if (!entry.renewed) {
        entry.renewed = true;
        this.read(key, statement, registry).then(
          (fresh) => this.kept.peek(key) === entry && this.kept.set(key, fresh),
          () => delete entry.renewed,
        );
      }
      return entry.rows;
    }
    const started = this.asked(key, statement, registry);
    this.kept.set(key, started);
    return started.rows;
  }

  /** As `rows`, but never older than the last write. `read` returns the same rows, perhaps faster. */
  current(
    statement: Statement,
    registry: Registry,
    read: () => Promise<readonly ResourceRecord[]>,
  ): Promise<readonly ResourceRecord[]> {
    const key = keyOf(statement);
    const entry = this.kept.get(key);
    if (entry && this.isCurrent(entry)) {
      this.hits++;
      return entry.rows;
    }
    this.misses++;
    const started = this.begin(key, tablesIn(statement.sql, registry), read);
    this.kept.set(key, started);
    return started.rows;
  }

  private isGood(one: Remembered): boolean {
    const age = Date.now() - one.since;
    if (this.isCostly(one) && age < Math.min(LONGEST_LIFE, costOf(one) * KEPT_TIMES)) return true;
    return this.isCurrent(one);
  }

  private isCurrent({ since, versions, tables }: Remembered): boolean {
    return Date.now() - since < LONGEST_LIFE && versions === this.versionsOf(tables);
  }

  private asked(key: string, statement: Statement, registry: Registry): Remembered {
    return this.begin(key, tablesIn(statement.sql, registry), () => this.database.named(statement));
  }

  private begin(key: string, tables: readonly string[], read: () => Promise<readonly ResourceRecord[]>): Remembered {
    const versions = this.versionsOf(tables);
    const since = Date.now();
    const entry: Remembered = { tables, versions, since, rows: read() };
    entry.rows.then(
      () => {
        entry.took = Date.now() - since;
        if (entry.took >= COSTLY) this.size();
      },
      () => this.kept.peek(key) === entry && this.kept.delete(key),
    );
    return entry;
  }

  private isCostly(one: Remembered): boolean {
    return costOf(one) >= COSTLY && one.tables.some((table) => this.large.has(table));
  }

  /** Finds out which tables are large, once a query was slow. */
  private size(): void {
    if (Date.now() - this.sizedAt < SIZES_LIFE) return;
    this.sizedAt = Date.now();
    this.database.named({ sql: largeTables, parameters: [LARGE] }).then(
      (rows) => (this.large = new Set(rows.map(({ name }) => name as string))),
      () => (this.sizedAt = -Infinity),
    );
  }

  /** Runs the query again while the old result is still used. */
  private async read(key: string, statement: Statement, registry: Registry): Promise<Remembered> {
    const entry = this.asked(key, statement, registry);
    await entry.rows;
    return entry;
  }

  /** The number of entries, and how often they were used. */
  get counts(): { entries: number; hits: number; misses: number } {
    return { entries: this.kept.size, hits: this.hits, misses: this.misses };
  }

  /** Marks tables as changed (a resource's pairs count as its table). */
  touch(...tables: readonly string[]): void {
    for (const table of tables) this.versions.set(table, (this.versions.get(table) ?? 0) + 1);
  }

  /** Clears the cache: anything may have changed. */
  forget(): void {
    this.kept.clear();
  }

  private versionsOf(tables: readonly string[]): string {
    return tables.map((table) => this.versions.get(table) ?? 0).join();
  }
}

function keyOf({ sql, parameters }: Statement): string {
  return `${sql}\0${JSON.stringify(parameters)}`;
}

const largeTables = `select c.relname::text as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.reltuples >= $1`;

/** Duration in milliseconds, so far if it is still running. */
function costOf({ took, since }: Remembered): number {
  return took ?? Date.now() - since;
}

/** The tables of resources that a statement names. A column with the same name only causes extra invalidation. */
function tablesIn(sql: string, registry: Registry): string[] {
  const names = new Set(Array.from(sql.matchAll(/"([^"]+)"/g), (match) => match[1]!));
  return [...registry.definitions.values()]
    .filter((definition) => [definition.table, ...pairTables(definition)].some((name) => names.has(name)))
    .map(({ table }) => table);
}

function pairTables(definition: Definition): string[] {
  return Object.values(definition.fields)
    .filter((field) => field.type === 'relations')
    .map((field) => pairTable(definition, field));
}

const totals = new WeakMap<Database, Totals>();

/** The query cache of a database: one per process. */
export function totalsOf({ root }: Database): Totals {
  let entry = totals.get(root);
  if (!entry) totals.set(root, (entry = new Totals(root)));
  return entry;
}

/**
 * Invalidates cached results on writes, including those of other processes on the same database. Returns a function
 * that stops.
 */
export function followWrites(database: Database, live: LiveHub): () => void {
  return live.subscribe(({ resource }) =>
    resource === everything ? totalsOf(database).forget() : totalsOf(database).touch(tableOf(resource)),
  );
}
