import type { Source } from '../../../../engine/definitions/source';
import type { Module } from '../../../../engine/studio/module';
import type { Base } from '../draft';
import { formatSource } from '../../../../engine/studio/format-source';
import { parseDraft } from './parseDraft';
import { initialState, type DraftState } from './draftHistory';

/** A draft as this browser saves it until it is published or discarded. */
export interface SavedDraft {
  readonly base: Base;
  readonly now: DraftState;
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
}

function parseStoredDraft(stored: string | null): SavedDraft | null {
  try {
    const { base, source, text, purge, takesShipped } = JSON.parse(stored ?? 'null') as StoredDraft;
    const reading = parseDraft(text);
    if (!('source' in parseDraft(formatSource(source)))) return null;
    const unreadable = 'source' in reading ? null : reading;
    return { base, now: { source, text, unreadable, purge, takesShipped } };
  } catch {
    return null;
  }
}

/** Saves a draft. If storage is full or disabled, the draft lasts as long as the page. */
export function saveDraft(user: number, name: string, { base, now }: SavedDraft): void {
  try {
    const { source, text, purge, takesShipped } = now;
    localStorage.setItem(storageKey(user, name), JSON.stringify({ base, source, text, purge, takesShipped }));
  } catch {
    // The draft stays in memory.
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
  saveDraft(user, source.name, { base: { version: 0, source: blank }, now: initialState(source) });
}

/** Saves a draft that completes the upgrade of a module; `/studio/{name}` then opens it. */
export function startUpgradeDraft(user: number, { name, version, definition }: Module, source: Source): void {
  saveDraft(user, name, {
    base: { version, source: definition },
    now: { ...initialState(source), takesShipped: true },
  });
}
