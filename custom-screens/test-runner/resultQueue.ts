import { ApiError, fetchApi, idempotencyHeader } from '../../src/app/session/api';
import { waitForConnection } from '../../src/app/session/connection';
import { readSession } from '../../src/app/session/session';
import { readViewing } from '../../src/app/session/viewedUser';
import type { KeptFile, KeptFiles } from './keptFiles';
import { randomKey } from './randomKey';
import { runnerFiles } from './runnerFiles';
import { waitingResultsKey } from './waitingResultsKey';
import { resultForm, type EntryDetails, type FoundResult } from './runnerApi';

/** A result that the server does not have yet. */
export interface QueuedResult {
  /** Makes sure that it is stored once, however often it is sent. */
  readonly key: string;
  readonly run: number;
  readonly entry: number;
  /** Of the test, for messages. */
  readonly name: string;
  readonly found: FoundResult;
  /** The files that come with it; their contents themselves are kept apart. */
  readonly files?: readonly KeptFile[];
  /** Why it was refused. */
  readonly refusal?: string;
}

/** The most milliseconds until an unsent result is sent again. */
const retryDelay = 3_000;
const neverAborted = new AbortController().signal;
const storageKeyPrefix = waitingResultsKey('');
const noResults: readonly QueuedResult[] = [];

/**
 * Results on their way to the server, of one person. They are kept in the browser until the server has them, so that
 * neither a lost connection nor a closed tab loses one, nor its files; they are sent in their order.
 */
export class ResultQueue {
  private items = noResults;
  /** Those that the browser's storage has not, or not as they are. */
  private unstored = noResults;
  private readonly listeners = new Set<() => void>();
  private readonly storageKey: string;
  private isSending = false;
  private isSendRequested = false;
  private readonly storedListeners = new Set<(entry: EntryDetails) => void>();

  constructor(
    private readonly person: number,
    private readonly files: KeptFiles = runnerFiles,
  ) {
    this.storageKey = waitingResultsKey(person);
    this.items = this.load();
  }

  /** For `useSyncExternalStore`; also sends what waits. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    if (this.listeners.size === 1) {
      // Other tabs may have changed them while nobody listened.
      this.items = this.load();
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
    this.replace([...this.load(), { ...result, key: randomKey() }]);
    void this.send();
  }

  /** Sends a refused one again: what refused it may have changed. */
  retry(key: string): void {
    this.change(key, ({ refusal: _, ...result }) => result);
    void this.send();
  }

  /** Sends a refused one again, without its files. */
  retryWithoutFiles(key: string): void {
    this.change(key, ({ refusal: _, files: __, ...result }) => ({ ...result, found: withoutEvidence(result.found) }));
    void this.send();
  }

  /** Whether the browser could not keep a result, or a file of one, beyond the page. */
  isUnstored(): boolean {
    return this.unstored.length > 0 || filesOf(this.items).some((file) => this.files.isUnstored(file));
  }

  discard(key: string): void {
    this.replace(this.load().filter((result) => result.key !== key));
  }

  /** Sends results one after the other until none is left; while the server cannot be reached, again and again. */
  readonly send = async (): Promise<void> => {
    this.isSendRequested = true;
    if (this.isSending) return;
    this.isSending = true;
    try {
      // Another one may be added between the look that finds none and the end.
      while (this.isSendRequested) {
        this.isSendRequested = false;
        const outcome = await this.runExclusively(() => this.sendNext());
        if (outcome === 'no answer') await waitForConnection(retryDelay, neverAborted);
        if (outcome !== 'none left') this.isSendRequested = true;
      }
    } finally {
      this.isSending = false;
    }
  };

  /** Other tabs of the same person send as well: one at a time, so that no result is sent by two. */
  private runExclusively<T>(task: () => Promise<T>): Promise<T> {
    return 'locks' in navigator ? (navigator.locks.request(this.storageKey, task) as Promise<T>) : task();
  }

  private async sendNext(): Promise<'answered' | 'no answer' | 'none left'> {
    // Another person may have signed in, or this one views the program as another: nothing is stored in their name.
    if (readSession()?.user.id !== this.person || readViewing()) return 'none left';
    const next = this.load().find(({ refusal }) => refusal === undefined);
    if (!next) return 'none left';
    const { key, entry, found: result, files = [] } = next;
    const contents = await Promise.all(files.map((file) => this.files.read(file)));
    const lostFile = files.find((_, index) => contents[index] === undefined);
    if (lostFile) {
      this.refuse(key, `“${lostFile.name}” is no longer kept in this browser.`);
      return 'answered';
    }
    try {
      const { data } = await fetchApi<{ data: EntryDetails }>(`/run-entries/${entry}/result`, {
        method: 'PUT',
        ...(files.length === 0 ? { json: result } : { body: resultForm(result, contents as File[]) }),
        headers: { [idempotencyHeader]: key },
      });
      // In this order, so that the test never looks as if it was not run.
      for (const listener of this.storedListeners) listener(data);
      this.discard(key);
      return 'answered';
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isLasting(error)) {
        this.refuse(key, error.message);
        return 'answered';
      }
      return 'no answer';
    }
  }

  private refuse(key: string, refusal: string): void {
    this.change(key, (result) => ({ ...result, refusal }));
  }

  private change(key: string, make: (result: QueuedResult) => QueuedResult): void {
    this.replace(this.load().map((result) => (result.key === key ? make(result) : result)));
  }

  /** Other tabs of the same person add and send as well. */
  private readonly onStorage = ({ key }: StorageEvent): void => {
    if (key === this.storageKey) this.replace(this.load());
  };

  private replace(items: readonly QueuedResult[]): void {
    const remainingIds = new Set(filesOf(items).map(({ id }) => id));
    const removedFiles = filesOf(this.items).filter(({ id }) => !remainingIds.has(id));
    this.items = items;
    try {
      if (items.length === 0) localStorage.removeItem(this.storageKey);
      else localStorage.setItem(this.storageKey, JSON.stringify(items));
      this.unstored = noResults;
    } catch {
      // Without storage, or without space in it, they are kept as long as the page.
      const storedTexts = new Set(readStored(this.storageKey).map((result) => JSON.stringify(result)));
      this.unstored = items.filter((result) => !storedTexts.has(JSON.stringify(result)));
    }
    // After the results that named them: whatever happens in between, none names a file that is missing.
    this.files.drop(removedFiles.map(({ id }) => id));
    for (const listener of this.listeners) listener();
  }

  /** The stored results, which other tabs may have changed, and those that could not be stored. */
  private load(): readonly QueuedResult[] {
    const unstored = new Map(this.unstored.map((result) => [result.key, result]));
    const storedResults = readStored(this.storageKey).map((result) => {
      const latest = unstored.get(result.key) ?? result;
      unstored.delete(result.key);
      return latest;
    });
    return [...storedResults, ...unstored.values()];
  }
}

/** The results in the browser's storage; none if it cannot be read. Those of earlier versions have no files. */
function readStored(key: string): readonly QueuedResult[] {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '[]') as QueuedResult[];
  } catch {
    return noResults;
  }
}

const withoutEvidence = ({ steps, ...result }: FoundResult): FoundResult => ({
  ...result,
  steps: steps.map(({ evidence: _, ...step }) => step),
});

const filesOf = (items: readonly QueuedResult[]): readonly KeptFile[] => items.flatMap(({ files = [] }) => files);

/** The ids of the files of all results that wait in this browser, of whomever; undefined if it cannot be read. */
export function waitingFiles(): ReadonlySet<string> | undefined {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(storageKeyPrefix));
    return new Set(keys.flatMap((key) => filesOf(readStored(key)).map(({ id }) => id)));
  } catch {
    return undefined;
  }
}

/** Whether a refusal will stay one; otherwise the same request can succeed later. */
const isLasting = ({ status, code }: ApiError) =>
  status >= 400 && status < 500 && ![401, 408, 429].includes(status) && code !== 'CONFLICT_IN_PROGRESS';

const queues = new Map<number, ResultQueue>();

/** The queue of a person; one for all screens of this tab. */
export function resultQueueOf(person: number): ResultQueue {
  const queue = queues.get(person) ?? new ResultQueue(person);
  queues.set(person, queue);
  return queue;
}
