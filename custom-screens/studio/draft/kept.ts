import type { Source } from '../../../src/engine/definitions/source';
import type { Module } from '../../../src/engine/studio/module';
import type { Base } from '../draft';
import { formatSource } from '../../../src/engine/studio/format';
import { readDraft } from './reading';
import { momentOf, type Moment } from './steps';

/** A draft as this browser keeps it until it is published or discarded. */
export interface Kept {
  readonly base: Base;
  readonly now: Moment;
}

const keyOf = (user: number, name: string) => `assay.studio.${user}.${name}`;

/** The draft that a user left of a module; null where there is none. */
export function readKept(user: number, name: string): Kept | null {
  try {
    return readText(localStorage.getItem(keyOf(user, name)));
  } catch {
    return null;
  }
}

/** Calls back with what another tab of this browser makes of a draft: null once it is published or discarded there. Returns the way out. */
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

/** Keeps a draft. Where storage is full or switched off, it lives as long as the page. */
export function keep(user: number, name: string, { base, now }: Kept): void {
  try {
    const { source, text, purge, takesShipped } = now;
    localStorage.setItem(keyOf(user, name), JSON.stringify({ base, source, text, purge, takesShipped }));
  } catch {
    // Nothing to be done about it here.
  }
}

/** Forgets the draft of a module. */
export function forget(user: number, name: string): void {
  try {
    localStorage.removeItem(keyOf(user, name));
  } catch {
    // Storage is switched off: nothing is kept.
  }
}

/**
 * Begins the draft of a module that is yet to be made: `/studio/{name}` then opens it. `blank` is what its changes are
 * counted from.
 */
export function beginModule(user: number, source: Source): void {
  const blank: Source = { name: source.name, labels: source.labels, fields: {} };
  keep(user, source.name, { base: { version: 0, source: blank }, now: momentOf(source) });
}

/** Begins the draft that decides the upgrade of a module: `/studio/{name}` then opens it. */
export function beginUpgrade(user: number, { name, version, definition }: Module, source: Source): void {
  keep(user, name, { base: { version, source: definition }, now: { ...momentOf(source), takesShipped: true } });
}
