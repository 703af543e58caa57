import type { Source } from '../../../src/engine/definitions/source';
import type { Module } from '../../../src/engine/studio/module';
import type { Base } from '../draft';
import { formatSource } from '../../../src/engine/studio/format';
import { readDraft } from './reading';
import { momentOf, type Moment } from './steps';

/** A draft as this browser saves it until it is published or discarded. */
export interface Kept {
  readonly base: Base;
  readonly now: Moment;
}

const keyOf = (user: number, name: string) => `assay.studio.${user}.${name}`;

/** A user's saved draft of a module; null if there is none. */
export function readKept(user: number, name: string): Kept | null {
  try {
    return readText(localStorage.getItem(keyOf(user, name)));
  } catch {
    return null;
  }
}

/** Calls back when another tab changes a draft, with null when it is published or discarded there. Returns a function that unsubscribes. */
export function followKept(user: number, name: string, onKept: (kept: Kept | null) => void): () => void {
  const follow = ({ key, newValue, storageArea }: StorageEvent) => {
    if (storageArea === localStorage && key === keyOf(user, name)) onKept(readText(newValue));
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}

interface KeptText {
  base: Base;
  source: Source;
  text: string;
  purge: string[];
  takesShipped?: boolean;
}

function readText(stored: string | null): Kept | null {
  try {
    const { base, source, text, purge, takesShipped } = JSON.parse(stored ?? 'null') as KeptText;
    const reading = readDraft(text);
    if (!('source' in readDraft(formatSource(source)))) return null;
    const unreadable = 'source' in reading ? null : reading;
    return { base, now: { source, text, unreadable, purge, takesShipped } };
  } catch {
    return null;
  }
}

/** Saves a draft. If storage is full or disabled, the draft lasts as long as the page. */
export function keep(user: number, name: string, { base, now }: Kept): void {
  try {
    const { source, text, purge, takesShipped } = now;
    localStorage.setItem(keyOf(user, name), JSON.stringify({ base, source, text, purge, takesShipped }));
  } catch {
    // The draft stays in memory.
  }
}

/** Deletes the saved draft of a module. */
export function forget(user: number, name: string): void {
  try {
    localStorage.removeItem(keyOf(user, name));
  } catch {
    // Storage is disabled: nothing was saved.
  }
}

/**
 * Saves a draft of a new module, which `/studio/{name}` then opens. Its changes are counted from a definition without
 * fields.
 */
export function beginModule(user: number, source: Source): void {
  const blank: Source = { name: source.name, labels: source.labels, fields: {} };
  keep(user, source.name, { base: { version: 0, source: blank }, now: momentOf(source) });
}

/** Saves a draft that completes the upgrade of a module; `/studio/{name}` then opens it. */
export function beginUpgrade(user: number, { name, version, definition }: Module, source: Source): void {
  keep(user, name, { base: { version, source: definition }, now: { ...momentOf(source), takesShipped: true } });
}
