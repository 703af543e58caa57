import { createContext, use } from 'react';
import type { Source } from '../../src/engine/definitions/source';
import type { Change } from '../../src/engine/studio/changes';
import type { Module, ModulePlan } from '../../src/engine/studio/module';

/** One definition being changed: every face of the editor shows it and writes to it. */
export interface Draft {
  /** As it is published. A module that is yet to be made has version 0. */
  readonly module: Module;
  /** The version that the draft was made from: older than the module's where somebody published meanwhile. */
  readonly base: Base;
  /** The draft as far as it could be read: the visual editor works on it. */
  readonly source: Source;
  /** What the JSON face shows: as typed there, or the draft written out. */
  readonly text: string;
  /** Why the text cannot be read. The draft then is what it was before. */
  readonly unreadable: { readonly line: number; readonly message: string } | null;
  /** What the server says of the draft; null until it has answered. */
  readonly plan: ModulePlan | null;
  /** What the server said of the last draft that was valid. */
  readonly validPlan: ModulePlan | null;
  /** Why the server could not be asked. */
  readonly planError: string | null;
  /** Whether the plan is of an earlier draft, as the server has not answered yet. */
  readonly planning: boolean;
  /** The last draft that the server found valid, and when (milliseconds since 1970). */
  readonly valid: { readonly source: Source; readonly at: number };
  /** What differs from the version that the draft was made from, in words. */
  readonly changes: readonly Change[];
  /** Columns to be purged with the next publish. */
  readonly purge: readonly string[];
  /** JSON pointer of the place that is being worked on, such as `/fields/name` or `/list/columns`. */
  readonly place: string;
  /** The part that is shown: JSON or not where there is room, one of all on phones. */
  readonly face: Face;
  go(place: string, face?: Face): void;
  /** Changes the draft; the text follows. */
  edit(change: (source: Source) => Source): void;
  /** Takes what was typed into the JSON face; the draft follows where it can be read. */
  write(text: string, apart?: boolean): void;
  /** Whether it decides the upgrade that waits. */
  readonly takesShipped?: boolean;
  setPurge(columns: readonly string[]): void;
  /** One step back, one step forward; undefined where there is none. */
  readonly undo?: () => void;
  readonly redo?: () => void;
  discard(): void;
  /** Goes on from what is published now: with another draft, or with what is published. */
  rebase(module: Module, source?: Source): void;
}

/** What a draft was made from. */
export interface Base {
  readonly version: number;
  readonly source: Source;
}

/** The parts of the editor. Where there is room all are shown, and only properties and JSON take turns. */
export const faces = ['fields', 'properties', 'json', 'preview', 'plan'] as const;
export type Face = (typeof faces)[number];

export const DraftContext = createContext<Draft | null>(null);

/** The draft of the editor around. */
export function useDraft(): Draft {
  const draft = use(DraftContext);
  if (!draft) throw new Error('useDraft needs an Editor above it.');
  return draft;
}
