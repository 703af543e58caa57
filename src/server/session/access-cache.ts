import type { Actor } from '../../engine/access/actor';
import type { Database, Transaction } from '../database/database';
import { touchEvery } from './sign-ins';

/** A signed-in user as requests meet them. */
export interface Access {
  readonly actor: Actor;
  readonly signInId: number;
  /** When the token ends, in milliseconds since 1970: it is remembered until then at most. */
  readonly endsAt: number;
}

type Load = () => Promise<Access>;

const channel = 'assay_access';
const capacity = 10_000;
/** Milliseconds for which somebody is remembered while the database's notices do not arrive. */
const unheard = 1_000;

/**
 * Remembers for a minute who is behind a token, so that a request costs no query, and forgets at once when users,
 * roles, grants or sign-ins change: in this process at the commit, in others on the database's notice.
 */
class AccessCache {
  private readonly known = new Map<string, { access: Access; until: number }>();
  private readonly loading = new Map<string, Promise<Access>>();
  private readonly listeners = new Set<() => void>();
  private epoch = 0;
  private hits = 0;
  private misses = 0;
  private hearing: Promise<unknown> | undefined;

  constructor(private readonly database: Database) {}

  /** What is remembered, or else what the loading brings: once for all who ask meanwhile. */
  get(key: string, load: Load): Access | Promise<Access> {
    const found = this.peek(key) ?? this.loading.get(key);
    if (found) this.hits++;
    else this.misses++;
    return found ?? this.load(key, load);
  }

  /** How much is remembered, and how often that helped. */
  get counts(): { entries: number; hits: number; misses: number } {
    return { entries: this.known.size, hits: this.hits, misses: this.misses };
  }

  /** What is remembered, if anything is. */
  peek(key: string): Access | undefined {
    const found = this.known.get(key);
    const now = Date.now();
    if (!found || found.until <= now) return undefined;
    return this.database.listening() || found.until - touchEvery + unheard > now ? found.access : undefined;
  }

  /** Calls whenever somebody's access may have changed. Answers how to stop listening. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    // Without a connection nothing is remembered either: the next request tries again.
    this.hear().catch(() => undefined);
    return () => this.listeners.delete(listener);
  }

  clear(): void {
    this.epoch++;
    this.known.clear();
    this.loading.clear();
    for (const listener of this.listeners) listener();
  }

  private load(key: string, load: Load): Promise<Access> {
    const begun = this.epoch;
    const loading = this.hear()
      .then(load)
      .then((access) => {
        // What was read before a change is good for the requests that asked before it, and no longer.
        if (begun === this.epoch) this.keep(key, access);
        return access;
      })
      .finally(() => {
        if (this.loading.get(key) === loading) this.loading.delete(key);
      });
    this.loading.set(key, loading);
    return loading;
  }

  private keep(key: string, access: Access): void {
    if (this.known.size >= capacity) this.known.delete(this.known.keys().next().value!);
    this.known.delete(key);
    this.known.set(key, { access, until: Math.min(Date.now() + touchEvery, access.endsAt) });
  }

  private hear(): Promise<unknown> {
    this.hearing ??= this.database
      .listen(channel, () => this.clear())
      .catch((error: unknown) => {
        this.hearing = undefined;
        throw error;
      });
    return this.hearing;
  }
}

const caches = new WeakMap<Database, AccessCache>();

/** The cache of a database: one a process. */
export function accessCacheOf({ root }: Database): AccessCache {
  let cache = caches.get(root);
  if (!cache) caches.set(root, (cache = new AccessCache(root)));
  return cache;
}

/** To be called in every transaction that changes who may do what: at its commit, everybody is looked up anew. */
export async function forgetAccess(database: Database, trx: Transaction): Promise<void> {
  database.afterCommit(trx, () => accessCacheOf(database).clear());
  await database.notify(channel, '', trx);
}
