import { ApiError, fetchApi, idempotencyHeader } from '../../src/app/session/api';
import { waitForConnection } from '../../src/app/session/connection';
import { readSession } from '../../src/app/session/session';
import { readViewing } from '../../src/app/session/viewing';
import type { EntryDetails, FoundResult } from './runnerApi';

/** A result that the server does not have yet. */
export interface QueuedResult {
  /** Makes sure that it is stored once, however often it is sent. */
  readonly key: string;
  readonly run: number;
  readonly entry: number;
  /** Of the test, for messages. */
  readonly name: string;
  readonly found: FoundResult;
  /** Why the server refused it. */
  readonly refusal?: string;
}

/** The most milliseconds until an unsent result is sent again. */
const retryDelay = 3_000;
const neverAborted = new AbortController().signal;

/**
 * Results on their way to the server, of one person. They are kept in the browser until the server has them, so that
 * neither a lost connection nor a closed tab loses one; they are sent in their order.
 */
export class ResultQueue {
  private items: readonly QueuedResult[];
  private readonly listeners = new Set<() => void>();
  private readonly storageKey: string;
  private isSending = false;
  private isAskedAgain = false;
  private readonly storedListeners = new Set<(entry: EntryDetails) => void>();

  constructor(private readonly person: number) {
    this.storageKey = `assay.results.${person}`;
    this.items = this.load();
  }

  /** For `useSyncExternalStore`; also sends what waits. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    if (this.listeners.size === 1) {
      addEventListener('storage', this.onStorage);
      void this.send();
    }
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      removeEventListener('storage', this.onStorage);
    };
  };

  readonly snapshot = (): readonly QueuedResult[] => this.items;

  /** Calls a function with each test whose result the server has stored; returns what ends that. */
  listenToStored(listener: (entry: EntryDetails) => void): () => void {
    this.storedListeners.add(listener);
    return () => this.storedListeners.delete(listener);
  }

  add(result: Omit<QueuedResult, 'key'>): void {
    const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0'));
    this.replace([...this.load(), { ...result, key: key.join('') }]);
    void this.send();
  }

  discard(key: string): void {
    this.replace(this.load().filter((one) => one.key !== key));
  }

  /** Sends results one after the other until none is left; while the server cannot be reached, again and again. */
  readonly send = async (): Promise<void> => {
    this.isAskedAgain = true;
    if (this.isSending) return;
    this.isSending = true;
    try {
      // Another one may be added between the look that finds none and the end.
      while (this.isAskedAgain) {
        this.isAskedAgain = false;
        const sent = await this.alone(() => this.sendNext());
        if (sent === 'no answer') await waitForConnection(retryDelay, neverAborted);
        if (sent !== 'none left') this.isAskedAgain = true;
      }
    } finally {
      this.isSending = false;
    }
  };

  /** Other tabs of the same person send as well: one at a time, so that no result is sent by two. */
  private alone<T>(task: () => Promise<T>): Promise<T> {
    return 'locks' in navigator ? (navigator.locks.request(this.storageKey, task) as Promise<T>) : task();
  }

  private async sendNext(): Promise<'answered' | 'no answer' | 'none left'> {
    // Another person may have signed in, or this one views the program as another: nothing is stored in their name.
    if (readSession()?.user.id !== this.person || readViewing()) return 'none left';
    const next = this.load().find(({ refusal }) => refusal === undefined);
    if (!next) return 'none left';
    const { key, entry, found } = next;
    try {
      const { data } = await fetchApi<{ data: EntryDetails }>(`/run-entries/${entry}/result`, {
        method: 'PUT',
        json: found,
        headers: { [idempotencyHeader]: key },
      });
      // In this order, so that the test never looks as if it was not run.
      for (const listener of this.storedListeners) listener(data);
      this.discard(key);
      return 'answered';
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isLasting(error)) {
        this.replace(this.load().map((one) => (one.key === key ? { ...one, refusal: error.message } : one)));
        return 'answered';
      }
      return 'no answer';
    }
  }

  /** Other tabs of the same person add and send as well. */
  private readonly onStorage = ({ key }: StorageEvent): void => {
    if (key === this.storageKey) this.replace(this.load());
  };

  private replace(items: readonly QueuedResult[]): void {
    this.items = items;
    try {
      if (items.length === 0) localStorage.removeItem(this.storageKey);
      else localStorage.setItem(this.storageKey, JSON.stringify(items));
    } catch {
      // Without storage they are kept as long as the page.
    }
    for (const listener of this.listeners) listener();
  }

  private load(): readonly QueuedResult[] {
    try {
      const stored = localStorage.getItem(this.storageKey);
      return stored === null ? [] : (JSON.parse(stored) as QueuedResult[]);
    } catch {
      return this.items ?? [];
    }
  }
}

/** Whether a refusal will stay one; otherwise the same request can succeed later. */
const isLasting = ({ status, code }: ApiError) =>
  status >= 400 && status < 500 && ![401, 408, 429].includes(status) && code !== 'CONFLICT_IN_PROGRESS';

const queues = new Map<number, ResultQueue>();

/** The queue of a person; one for all screens of this tab. */
export function resultQueueOf(person: number): ResultQueue {
  const known = queues.get(person) ?? new ResultQueue(person);
  queues.set(person, known);
  return known;
}
