import { createContext, use, useMemo, useSyncExternalStore } from 'react';
import type { Source } from '../../engine/language/source';
import type { DefinitionChange } from '../../engine/studio/diff-definitions';
import type { Module, ModulePlan } from '../../engine/studio/module';
import { isJsonObject } from '../../engine/formats/json';

/** A definition that is being edited; all panes of the editor read and change it. */
export interface Draft {
  /** The published module. A module that was never published has version 0. */
  readonly module: Module;
  /** The version that the draft is based on: older than the module's if somebody published meanwhile. */
  readonly base: Base;
  /** The draft as of its last readable text; the visual editor works on it. */
  readonly source: Source;
  /** The text of the JSON editor: as typed there, or the formatted draft. */
  readonly text: string;
  /** Why the text cannot be parsed; `source` is then that of the last readable text. */
  readonly unreadable: { readonly line: number; readonly message: string } | null;
  /** The server's plan for the draft; null until it arrives. */
  readonly plan: ModulePlan | null;
  /** The plan of the last valid draft. */
  readonly validPlan: ModulePlan | null;
  /** Why the plan could not be loaded. */
  readonly planError: string | null;
  /** Whether the plan is of an earlier draft because the new one has not arrived yet. */
  readonly planning: boolean;
  /** The last draft that the server found valid, and when (milliseconds since 1970). */
  readonly valid: { readonly source: Source; readonly time: number };
  /** The changes since the version that the draft is based on, in words. */
  readonly changes: readonly DefinitionChange[];
  /** Columns to purge when the draft is published. */
  readonly purge: readonly string[];
  /** JSON pointer of the selected place, such as `/fields/name` or `/list/columns`. */
  readonly pointer: string;
  /** The active pane: on wide screens only properties and JSON alternate, on narrow ones all panes do. */
  readonly pane: Pane;
  go(place: string, face?: Pane): void;
  /** Changes the draft; the text follows. */
  edit(change: (source: Source) => Source): void;
  /** Changes the text; the draft follows if it can be parsed. `isSeparate`: never merged with other typing into one undo step. */
  write(text: string, isSeparate?: boolean): void;
  /** Whether publishing it completes the pending upgrade. */
  readonly takesShipped?: boolean;
  setPurge(columns: readonly string[]): void;
  /** Undefined if there is nothing to undo or redo. */
  readonly undo?: () => void;
  readonly redo?: () => void;
  /** Whether this state came from elsewhere, where it was saved. */
  readonly isFollowed: boolean;
  /** Takes what was changed elsewhere over; null: the draft ended there. Can be undone. */
  follow(other: OtherDraft | null): void;
  discard(): void;
  /** Bases the draft on another version of the module, with this source or the published one. */
  rebase(module: Module, source?: Source): void;
}

/** The draft as it was changed elsewhere. */
interface OtherDraft {
  readonly base: Base;
  readonly now: Pick<Draft, 'source' | 'text' | 'unreadable' | 'purge' | 'takesShipped'>;
}

/** The version that a draft is based on. */
export interface Base {
  readonly version: number;
  readonly source: Source;
}

/** The panes of the editor. On wide screens all are visible, and only properties and JSON alternate. */
export const panes = ['fields', 'properties', 'json', 'preview', 'plan'] as const;
export type Pane = (typeof panes)[number];

/**
 * The draft of an editor, outside of what React renders: a component renders again only if the part of the draft that it
 * reads has changed, however often the draft does.
 */
export interface DraftStore {
  get(): Draft;
  subscribe(listener: () => void): () => void;
}

export const DraftContext = createContext<DraftStore | null>(null);

/** A store of a draft, and the function that replaces it. */
export function createDraftStore(first: Draft): { store: DraftStore; put: (draft: Draft) => void } {
  let now = first;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const put = (draft: Draft) => {
    now = draft;
    for (const listener of listeners) listener();
  };
  return { store: { get: () => now, subscribe }, put };
}

/** The store of the surrounding editor, for what reads the draft only when something happens. */
export function useDraftStore(): DraftStore {
  const store = use(DraftContext);
  if (!store) throw new Error('A draft is read within an Editor only.');
  return store;
}

/** The draft of the surrounding editor. The component renders at every change of it: most need only a part. */
export function useDraft(): Draft {
  const { subscribe, get } = useDraftStore();
  return useSyncExternalStore(subscribe, get);
}

/** A part of the draft of the surrounding editor. The component renders again when another value comes of it. */
export function useDraftPart<T>(select: (draft: Draft) => T): T {
  const { subscribe, get } = useDraftStore();
  const read = useMemo(() => keepEqual(() => select(get())), [select, get]);
  return useSyncExternalStore(subscribe, read);
}

/** A function that gives its earlier value for as long as the new one is equal. */
function keepEqual<T>(read: () => T): () => T {
  let last: { readonly value: T } | undefined;
  return () => {
    const value = read();
    if (!last || !isEqual(last.value, value)) last = { value };
    return last.value;
  };
}

/** Whether two values are written alike: keys in the same order too, and the same functions. */
function isEqual(first: unknown, second: unknown): boolean {
  if (Object.is(first, second)) return true;
  if (Array.isArray(first) && Array.isArray(second))
    return first.length === second.length && first.every((item, index) => isEqual(item, second[index]));
  if (!isJsonObject(first) || !isJsonObject(second)) return false;
  const [keys, otherKeys] = [Object.keys(first), Object.keys(second)];
  return (
    keys.length === otherKeys.length &&
    keys.every((key, index) => key === otherKeys[index] && isEqual(first[key], second[key]))
  );
}
