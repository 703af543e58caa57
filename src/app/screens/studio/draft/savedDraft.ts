import type { Source } from '../../../../engine/definitions/source';
import type { Module } from '../../../../engine/studio/module';
import type { DraftContent, WholeModuleDraft } from '../../../../engine/studio/module-draft';
import type { Base } from '../draft';
import { formatSource } from '../../../../engine/studio/format-source';
import { parseDraft } from './parseDraft';
import { initialState, type DraftState } from './draftHistory';

/** A draft as this browser saves it until it is published or discarded. */
export interface SavedDraft {
  readonly base: Base;
  readonly now: DraftState;
  /** The server's revision that it continues; 0: the server has none. */
  readonly revision: number;
  /** Whether the server has not stored it yet. */
  readonly unsaved: boolean;
}

const storageKey = (user: number, name: string) => `assay.studio.${user}.${name}`;

/** A user's saved draft of a module; null if there is none. */
export function readSavedDraft(user: number, name: string): SavedDraft | null {
  try {
    return parseStoredDraft(localStorage.getItem(storageKey(user, name)));
  } catch {
    return null;
  }
}

/** Calls back when another tab changes a draft, with null when it is published or discarded there. Returns a function that unsubscribes. */
export function subscribeToSavedDraft(
  user: number,
  name: string,
  onKept: (kept: SavedDraft | null) => void,
): () => void {
  const follow = ({ key, newValue, storageArea }: StorageEvent) => {
    if (storageArea === localStorage && key === storageKey(user, name)) onKept(parseStoredDraft(newValue));
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}

interface StoredDraft {
  base: Base;
  source: Source;
  text: string;
  purge: string[];
  takesShipped?: boolean;
  /** Missing in what versions before drafts on the server saved. */
  revision?: number;
  unsaved?: boolean;
}

function parseStoredDraft(stored: string | null): SavedDraft | null {
  try {
    const { base, text, revision = 0, unsaved = true, ...rest } = JSON.parse(stored ?? 'null') as StoredDraft;
    if (!('source' in parseDraft(formatSource(rest.source)))) return null;
    return { base, now: { ...rest, text, unreadable: unreadableText(text) }, revision, unsaved };
  } catch {
    return null;
  }
}

function unreadableText(text: string): DraftState['unreadable'] {
  const reading = parseDraft(text);
  return 'source' in reading ? null : reading;
}

/** A draft of the server as this browser saves it. */
export function fromServer({ base, source, text, purge, takes_shipped, revision }: WholeModuleDraft): SavedDraft {
  const takesShipped = takes_shipped || undefined;
  const now = { source, text, unreadable: unreadableText(text), purge, takesShipped };
  return { base, now, revision, unsaved: false };
}

/** What the server stores of a draft. */
export function toContent({ base, now }: Pick<SavedDraft, 'base' | 'now'>): DraftContent {
  const { source, text, purge, takesShipped = false } = now;
  return { base, source, text, purge, takes_shipped: takesShipped };
}

/**
 * The draft to continue: the one of this browser or that of the server, which another browser may have changed or ended
 * since. What this browser has not sent yet is never dropped: if the server's changed meanwhile too, saving meets a
 * conflict, which the user decides. `stored` is null if the server has none, and undefined if it cannot be asked.
 */
export function currentDraft(local: SavedDraft | null, stored: WholeModuleDraft | null | undefined): SavedDraft | null {
  if (stored === undefined) return local;
  if (stored === null) return local?.unsaved ? { ...local, revision: 0 } : null;
  if (local && (local.unsaved || local.revision > stored.revision)) return local;
  return fromServer(stored);
}

/** Saves a draft. If storage is full or disabled, the draft lasts as long as the page. */
export function saveDraft(user: number, name: string, { base, now, revision, unsaved }: SavedDraft): void {
  try {
    const { source, text, purge, takesShipped } = now;
    const stored: StoredDraft = { base, source, text, purge: [...purge], takesShipped, revision, unsaved };
    localStorage.setItem(storageKey(user, name), JSON.stringify(stored));
  } catch {
    // The draft stays in memory.
  }
}

/** The modules of which this browser has a draft of the user that the server has not stored. */
export function unsavedDrafts(user: number): string[] {
  try {
    const prefix = storageKey(user, '');
    const names = Object.keys(localStorage).flatMap((key) =>
      key.startsWith(prefix) ? [key.slice(prefix.length)] : [],
    );
    return names.filter((name) => readSavedDraft(user, name)?.unsaved);
  } catch {
    return [];
  }
}

/** Deletes the saved draft of a module. */
export function deleteSavedDraft(user: number, name: string): void {
  try {
    localStorage.removeItem(storageKey(user, name));
  } catch {
    // Storage is disabled: nothing was saved.
  }
}

/**
 * Saves a draft of a new module, which `/studio/{name}` then opens. Its changes are counted from a definition without
 * fields.
 */
export function startModuleDraft(user: number, source: Source): void {
  const blank: Source = { name: source.name, labels: source.labels, fields: {} };
  saveDraft(user, source.name, {
    base: { version: 0, source: blank },
    now: initialState(source),
    ...{ revision: revisionOf(user, source.name), unsaved: true },
  });
}

/** Saves a draft that completes the upgrade of a module; `/studio/{name}` then opens it. */
export function startUpgradeDraft(user: number, { name, version, definition }: Module, source: Source): void {
  saveDraft(user, name, {
    base: { version, source: definition },
    now: { ...initialState(source), takesShipped: true },
    ...{ revision: revisionOf(user, name), unsaved: true },
  });
}

/** The revision of the draft that a new one replaces. */
function revisionOf(user: number, name: string): number {
  return readSavedDraft(user, name)?.revision ?? 0;
}
