import { randomKey } from './randomKey';

/** A file of a result that the server does not have yet, as drafts and the queue name it. */
export interface KeptFile {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}

/** Where files are kept beyond the page. All reject where the browser has no storage, or no space left. */
export interface FileStorage {
  put(id: string, file: Blob): Promise<void>;
  get(id: string): Promise<Blob | undefined>;
  delete(id: string): Promise<void>;
  ids(): Promise<readonly string[]>;
}

/** Why a file is not safe: it cannot be read, or is kept only as long as the page is open. */
export type KeepProblem = 'unreadable' | 'no space' | 'no storage';

/** How long a file is kept that no waiting result names, in milliseconds: that of a draft whose tab was closed. */
const unnamedLifetime = 14 * 24 * 60 * 60 * 1000;

/**
 * The files of results that are not stored yet. They stay in the browser until they are dropped, whether the page is
 * loaded again or not.
 */
export class KeptFiles {
  /** Copies: what they were made from may be changed or deleted on the device meanwhile. */
  private readonly copies = new Map<string, Promise<File | undefined>>();
  /** Those that are not stored: on their way there, or because that failed. */
  private readonly unstoredFiles = new Map<string, 'on the way' | 'failed'>();

  constructor(private readonly storage: FileStorage) {}

  /** Takes a file. `onProblem` is called later if it cannot be read, or not be kept beyond the page. */
  keep(file: File, name: string, onProblem: (problem: KeepProblem) => void): KeptFile {
    const id = `${Date.now()}-${randomKey()}`;
    const copy = copyOf(file, name);
    this.copies.set(id, copy);
    this.unstoredFiles.set(id, 'on the way');
    void copy.then(async (bytes) => {
      if (!bytes) {
        this.unstoredFiles.delete(id);
        onProblem('unreadable');
        return;
      }
      try {
        await this.storage.put(id, bytes);
        this.unstoredFiles.delete(id);
        // It was dropped meanwhile.
        if (!this.copies.has(id)) await this.storage.delete(id);
      } catch (error) {
        const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
        if (!this.copies.has(id)) return;
        this.unstoredFiles.set(id, 'failed');
        onProblem(isFull ? 'no space' : 'no storage');
      }
    });
    return { id, name, type: file.type, size: file.size };
  }

  /** The file; undefined if it is no longer in this browser. */
  async read({ id, name, type }: KeptFile): Promise<File | undefined> {
    const copy = await this.copies.get(id);
    if (copy) return copy;
    const content = await this.storage.get(id).catch(() => undefined);
    return content && new File([content], name, { type });
  }

  drop(ids: Iterable<string>): void {
    for (const id of ids) {
      this.copies.delete(id);
      this.unstoredFiles.delete(id);
      this.storage.delete(id).catch(() => undefined);
    }
  }

  /** Whether the browser could not keep a file beyond the page. */
  isUnstored({ id }: KeptFile): boolean {
    return this.unstoredFiles.get(id) === 'failed';
  }

  /** Whether files would be lost with the page, if only those that are stored in this moment. */
  hasUnstored(): boolean {
    return this.unstoredFiles.size > 0;
  }

  /** Deletes old files that are not among these ids, which waiting results name. */
  async sweep(namedIds: ReadonlySet<string>): Promise<void> {
    const ids = await this.storage.ids().catch(() => []);
    this.drop(ids.filter((id) => !namedIds.has(id) && Number(id.split('-', 1)[0]) < Date.now() - unnamedLifetime));
  }
}

async function copyOf(file: File, name: string): Promise<File | undefined> {
  try {
    return new File([await file.arrayBuffer()], name, { type: file.type });
  } catch {
    return undefined;
  }
}
