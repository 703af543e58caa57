import { LRUCache } from 'lru-cache';
import { tableOf } from '../../engine/definitions/labels';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import type { Database } from '../database/database';
import { pairTable } from '../database/names';
import type { Statement } from '../database/statements';
import { everything, type LiveHub } from '../program';

const CAPACITY = 5_000;
/** For writes that nobody told of, such as those made by hand. */
const LONGEST_LIFE = 15_000;

/**
 * Milliseconds from which on counting in a large table is costly: then figures may be behind the writes of the last
 * moments. In tables of ordinary size they never are, however busy the machine.
 */
const COSTLY = 200;
/** Rows, by PostgreSQL's own estimate, from which on a table is large. */
const LARGE = 500_000;
/** Milliseconds for which it is known which tables are large. */
const SIZES_LIFE = 60_000;
/** How many times as long as it took a costly figure is kept, so that counting takes a twentieth of the time at most. */
const KEPT_TIMES = 20;
/** Milliseconds after which a costly figure is not shown any more, not even while it is counted again. */
const OLDEST = 30_000;

interface Remembered {
  readonly tables: readonly string[];
  readonly versions: string;
  readonly since: number;
  readonly rows: Promise<readonly ResourceRecord[]>;
  /** Milliseconds that counting took; undefined as long as it goes on. */
  took?: number;
  /** It is being counted again. */
  renewed?: true;
}

/**
 * Remembers what was counted until one of the tables that it was counted in is written to: counting a large table costs
 * more than the page beside it. Every write moves its tables' versions on when it commits; what was counted before is
 * then counted again. A figure of a large table that takes long to count is shown for a while after a write, and counted
 * again in the background: otherwise everybody who reads a list of millions would count it after each write of anybody.
 */
export class Totals {
  private readonly kept = new LRUCache<string, Remembered>({ max: CAPACITY });
  private readonly versions = new Map<string, number>();
  private hits = 0;
  private misses = 0;
  private large: ReadonlySet<string> = new Set();
  private sizedAt = -Infinity;

  constructor(private readonly database: Database) {}

  /** The number that a statement answers as `total`, counted at most once between two writes. */
  async count(statement: Statement, registry: Registry): Promise<number> {
    const [row] = await this.rows(statement, registry);
    return row!.total as number;
  }

  /** What a statement last answered as `total`, where that is remembered, and whether it would answer so now. */
  async last(statement: Statement): Promise<{ total: number; isGood: boolean } | undefined> {
    const found = this.kept.get(keyOf(statement));
    if (!found) return undefined;
    const isGood = this.isGood(found);
    if (isGood) this.hits++;
    return found.rows.then(([row]) => ({ total: row!.total as number, isGood }));
  }

  /** Remembers what a statement would answer as `total`, read from now on by another one; undefined: it does not say. */
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

  /** The rows of a statement, read at most once between two writes to the tables that it names. Not to be changed. */
  rows(statement: Statement, registry: Registry): Promise<readonly ResourceRecord[]> {
    const key = keyOf(statement);
    const found = this.kept.get(key);
    if (found && this.isGood(found)) {
      this.hits++;
      return found.rows;
    }
    this.misses++;
    if (found && this.isCostly(found) && Date.now() - found.since < OLDEST) {
      if (!found.renewed) {
        found.renewed = true;
        this.read(key, statement, registry).then(
          (fresh) => this.kept.peek(key) === found && this.kept.set(key, fresh),
          () => delete found.renewed,
        );
      }
      return found.rows;
    }
    const begun = this.asked(key, statement, registry);
    this.kept.set(key, begun);
    return begun.rows;
  }

  /** As `rows`, and never older than the last write. `read` answers what the statement would, sooner perhaps. */
  current(
    statement: Statement,
    registry: Registry,
    read: () => Promise<readonly ResourceRecord[]>,
  ): Promise<readonly ResourceRecord[]> {
    const key = keyOf(statement);
    const found = this.kept.get(key);
    if (found && this.isCurrent(found)) {
      this.hits++;
      return found.rows;
    }
    this.misses++;
    const begun = this.begin(key, tablesIn(statement.sql, registry), read);
    this.kept.set(key, begun);
    return begun.rows;
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
    const begun: Remembered = { tables, versions, since, rows: read() };
    begun.rows.then(
      () => {
        begun.took = Date.now() - since;
        if (begun.took >= COSTLY) this.size();
      },
      () => this.kept.peek(key) === begun && this.kept.delete(key),
    );
    return begun;
  }

  private isCostly(one: Remembered): boolean {
    return costOf(one) >= COSTLY && one.tables.some((table) => this.large.has(table));
  }

  /** Finds out which tables are large, once something took long. */
  private size(): void {
    if (Date.now() - this.sizedAt < SIZES_LIFE) return;
    this.sizedAt = Date.now();
    this.database.named({ sql: largeTables, parameters: [LARGE] }).then(
      (rows) => (this.large = new Set(rows.map(({ name }) => name as string))),
      () => (this.sizedAt = -Infinity),
    );
  }

  /** Reads beside what is shown meanwhile. */
  private async read(key: string, statement: Statement, registry: Registry): Promise<Remembered> {
    const begun = this.asked(key, statement, registry);
    await begun.rows;
    return begun;
  }

  /** How much is remembered, and how often that helped. */
  get counts(): { entries: number; hits: number; misses: number } {
    return { entries: this.kept.size, hits: this.hits, misses: this.misses };
  }

  /** Something was committed to these tables (a resource's pairs count as its table). */
  touch(...tables: readonly string[]): void {
    for (const table of tables) this.versions.set(table, (this.versions.get(table) ?? 0) + 1);
  }

  /** Anything may have been committed. */
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

/** Milliseconds that counting took, or has taken so far. */
function costOf({ took, since }: Remembered): number {
  return took ?? Date.now() - since;
}

/** The resources whose tables a statement names. A column of the same name only makes it count more often than needed. */
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

/** The totals of a database: one a process. */
export function totalsOf({ root }: Database): Totals {
  let found = totals.get(root);
  if (!found) totals.set(root, (found = new Totals(root)));
  return found;
}

/** Hears of writes, also of other processes on the same database. Answers how to stop. */
export function followWrites(database: Database, live: LiveHub): () => void {
  return live.subscribe(({ resource }) =>
    resource === everything ? totalsOf(database).forget() : totalsOf(database).touch(tableOf(resource)),
  );
}
