import type { Source } from '../../../engine/language/source';
import type { Module } from '../../../engine/studio/module';
import type { DraftContent, WholeModuleDraft } from '../../../engine/studio/module-draft';
import type { Base } from '../draft';
import { formatSource } from '../../../engine/studio/format-source';
import { initialState, type DraftState, parseDraft } from './draftHistory';

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
/** The receipt of the latest stored draft, kept separately: a tab that hears of it never overwrites what another one has typed since. */
const receiptKey = (user: number, name: string) => `assay.studio-stored.${user}.${name}`;

interface Receipt {
  readonly revision: number;
  readonly text: string;
}

/** A user's saved draft of a module; null if there is none. */
export function readSavedDraft(user: number, name: string): SavedDraft | null {
  try {
    const draft = parseStoredDraft(localStorage.getItem(storageKey(user, name)));
    const receipt = parseReceipt(localStorage.getItem(receiptKey(user, name)));
    if (!draft || !receipt || receipt.revision <= draft.revision) return draft;
    return { ...draft, revision: receipt.revision, unsaved: receipt.text !== draft.now.text };
  } catch {
    return null;
  }
}

/** Notes in this browser that the server has stored this text as this revision of the draft; null: it has none. */
export function noteStored(user: number, name: string, receipt: Receipt | null): void {
  try {
    if (receipt) localStorage.setItem(receiptKey(user, name), JSON.stringify(receipt));
    else localStorage.removeItem(receiptKey(user, name));
  } catch {
    // Storage is full or disabled: the server is asked.
  }
}

function parseReceipt(storedText: string | null): Receipt | null {
  const receipt = JSON.parse(storedText ?? 'null') as Partial<Receipt> | null;
  return typeof receipt?.revision === 'number' && typeof receipt.text === 'string' ? (receipt as Receipt) : null;
}

/** The last texts of a draft that this browser has sent to the server. */
export interface SentTexts {
  note(text: string): void;
  includes(text: string): boolean;
}

const sentKey = (user: number, name: string) => `assay.studio-sent.${user}.${name}`;
/** Answers are lost for as many saves as happen while a page is left. */
const textsKept = 3;

/** The last texts of a user's draft that this browser has sent to the server. */
export function sentTexts(user: number, name: string): SentTexts {
  const read = (): readonly string[] => {
    try {
      const storedTexts = JSON.parse(localStorage.getItem(sentKey(user, name)) ?? '[]') as unknown;
      return Array.isArray(storedTexts) ? (storedTexts as string[]) : [];
    } catch {
      return [];
    }
  };
  return {
    note(text) {
      try {
        localStorage.setItem(sentKey(user, name), JSON.stringify([text, ...read()].slice(0, textsKept)));
      } catch {
        // Storage is full or disabled: a lost answer is a conflict then.
      }
    },
    includes: (text) => read().includes(text),
  };
}

interface OtherTab {
  /** The draft was changed there; null: it was published or discarded. */
  onKept: (kept: SavedDraft | null) => void;
  /** The server has stored a revision that was sent from there. */
  onStored: (revision: number) => void;
}

/** Calls back with what another tab does to a draft. Returns a function that unsubscribes. */
export function subscribeToSavedDraft(user: number, name: string, { onKept, onStored }: OtherTab): () => void {
  const follow = ({ key, newValue, storageArea }: StorageEvent) => {
    if (storageArea !== localStorage) return;
    if (key === storageKey(user, name)) onKept(parseStoredDraft(newValue));
    if (key === receiptKey(user, name)) onStored(parseReceipt(newValue)?.revision ?? 0);
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

function parseStoredDraft(storedText: string | null): SavedDraft | null {
  try {
    const { base, text, revision = 0, unsaved = true, ...rest } = JSON.parse(storedText ?? 'null') as StoredDraft;
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

/** The form in which the server stores a draft. */
export function toContent({ base, now }: Pick<SavedDraft, 'base' | 'now'>): DraftContent {
  const { source, text, purge, takesShipped = false } = now;
  return { base, source, text, purge, takes_shipped: takesShipped };
}

/**
 * The draft to continue: the one of this browser or that of the server, which another browser may have changed or ended
 * since. A draft that this browser has not sent yet is never dropped: if the server's changed meanwhile too, saving meets a
 * conflict, which the user decides. `stored` is null if the server has none, and undefined if it cannot be asked.
 */
export function currentDraft(
  local: SavedDraft | null,
  storedDraft: WholeModuleDraft | null | undefined,
): SavedDraft | null {
  if (storedDraft === undefined) return local;
  if (storedDraft === null) return local?.unsaved ? { ...local, revision: 0 } : null;
  if (local && (local.unsaved || local.revision > storedDraft.revision)) return local;
  return fromServer(storedDraft);
}

/** Saves a draft. If storage is full or disabled, the draft lasts as long as the page. */
export function saveDraft(user: number, name: string, { base, now, revision, unsaved }: SavedDraft): void {
  try {
    const { source, text, purge, takesShipped } = now;
    const storedDraft: StoredDraft = { base, source, text, purge: [...purge], takesShipped, revision, unsaved };
    localStorage.setItem(storageKey(user, name), JSON.stringify(storedDraft));
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
    localStorage.removeItem(receiptKey(user, name));
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
  const emptySource: Source = { name: source.name, labels: source.labels, fields: {} };
  saveDraft(user, source.name, {
    base: { version: 0, source: emptySource },
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
