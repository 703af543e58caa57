import type { Actor } from '../../../engine/access/actor';
import type { Database, Transaction } from '../../database/database';
import { bytesOf, createByteCache } from '../../limits/byte-cache';
import { touchInterval } from './sign-ins';

/** Who is behind a token: a user with their sign-in, or a service account. */
export interface Access {
  readonly actor: Actor;
  /** The sign-in of a user; service accounts have none. */
  readonly signInId?: number;
  /** When the token expires, in milliseconds since 1970; it is cached until then at most. */
  readonly endsAt: number;
  /** Belongs to a company that somebody registered without confirming an address since. */
  readonly isUnconfirmed: boolean;
}

/** The user and sign-in behind a token. */
export type SignedIn = Access & { readonly signInId: number };

/** Whether a user is behind a token, and not a service account. */
export function isSignedIn(access: Access): access is SignedIn {
  return access.signInId !== undefined;
}

type Load = () => Promise<Access>;

const channel = 'assay_access';
const maxBytes = 16_000_000;
/** How long entries are used while the database's notifications do not arrive, in milliseconds. */
const maxStaleness = 1_000;

interface CachedAccess {
  readonly access: Access;
  readonly expiresAt: number;
}

/** Grants are shared by all who have the same ones. */
function bytesOfAccess({ access: { actor, ...rest } }: CachedAccess): number {
  const { permissions: _shared, ...actorFields } = actor;
  return bytesOf(actorFields) + bytesOf(rest);
}

/**
 * Caches for a minute who is behind a token, so that a request costs no query. The cache is cleared when users, roles,
 * grants or sign-ins change: in this process at the commit, in others on the database's notification.
 */
class AccessCache {
  private readonly entries = createByteCache<CachedAccess>(maxBytes, bytesOfAccess);
  private readonly loading = new Map<string, Promise<Access>>();
  private readonly listeners = new Set<() => void>();
  private epoch = 0;
  private hits = 0;
  private misses = 0;
  private subscription: Promise<unknown> | undefined;

  constructor(private readonly database: Database) {}

  /** The cached entry, or the result of `load`, which runs once for all concurrent callers. */
  get(key: string, load: Load): Access | Promise<Access> {
    const cachedAccess = this.peek(key) ?? this.loading.get(key);
    if (cachedAccess) this.hits++;
    else this.misses++;
    return cachedAccess ?? this.load(key, load);
  }

  /** The number of entries and their bytes, hits and misses. */
  get counts(): { entries: number; bytes: number; hits: number; misses: number } {
    const { size, calculatedSize } = this.entries;
    return { entries: size, bytes: calculatedSize, hits: this.hits, misses: this.misses };
  }

  /** The cached entry, if any. */
  peek(key: string): Access | undefined {
    const cachedEntry = this.entries.get(key);
    const now = Date.now();
    if (!cachedEntry || cachedEntry.expiresAt <= now) return undefined;
    return this.database.isListening() || cachedEntry.expiresAt - touchInterval + maxStaleness > now
      ? cachedEntry.access
      : undefined;
  }

  /** Calls `listener` whenever anybody's access may have changed. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    // Without a connection nothing is cached either: the next request tries again.
    this.subscribe().catch(() => undefined);
    return () => this.listeners.delete(listener);
  }

  clear(): void {
    this.epoch++;
    this.entries.clear();
    this.loading.clear();
    for (const listener of this.listeners) listener();
  }

  private load(key: string, load: Load): Promise<Access> {
    const startEpoch = this.epoch;
    const loading = this.subscribe()
      .then(load)
      .then((access) => {
        // A result that was read before a change is used by its own requests, but not cached.
        if (startEpoch === this.epoch) this.store(key, access);
        return access;
      })
      .finally(() => {
        if (this.loading.get(key) === loading) this.loading.delete(key);
      });
    this.loading.set(key, loading);
    return loading;
  }

  private store(key: string, access: Access): void {
    this.entries.set(key, { access, expiresAt: Math.min(Date.now() + touchInterval, access.endsAt) });
  }

  private subscribe(): Promise<unknown> {
    this.subscription ??= this.database
      .listen(channel, () => this.clear())
      .catch((error: unknown) => {
        this.subscription = undefined;
        throw error;
      });
    return this.subscription;
  }
}

const caches = new WeakMap<Database, AccessCache>();

/** The cache of a database; one per process. */
export function accessCacheOf({ root }: Database): AccessCache {
  let cache = caches.get(root);
  if (!cache) caches.set(root, (cache = new AccessCache(root)));
  return cache;
}

/** Call it in every transaction that changes permissions: at its commit, all cached access is dropped. */
export async function clearAccessCache(database: Database, trx: Transaction): Promise<void> {
  database.afterCommit(trx, () => accessCacheOf(database).clear());
  await database.notify(channel, '', trx);
}
