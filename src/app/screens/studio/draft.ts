import { createContext, use } from 'react';
import type { Source } from '../../../engine/definitions/source';
import type { DefinitionChange } from '../../../engine/studio/diff-definitions';
import type { Module, ModulePlan } from '../../../engine/studio/module';

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
  readonly valid: { readonly source: Source; readonly at: number };
  /** The changes since the version that the draft is based on, in words. */
  readonly changes: readonly DefinitionChange[];
  /** Columns to purge when the draft is published. */
  readonly purge: readonly string[];
  /** JSON pointer of the selected place, such as `/fields/name` or `/list/columns`. */
  readonly place: string;
  /** The active pane: on wide screens only properties and JSON alternate, on narrow ones all panes do. */
  readonly pane: Pane;
  go(place: string, face?: Pane): void;
  /** Changes the draft; the text follows. */
  edit(change: (source: Source) => Source): void;
  /** Changes the text; the draft follows if it can be parsed. `apart`: never merged with other typing into one undo step. */
  write(text: string, apart?: boolean): void;
  /** Whether publishing it completes the pending upgrade. */
  readonly takesShipped?: boolean;
  setPurge(columns: readonly string[]): void;
  /** Undefined if there is nothing to undo or redo. */
  readonly undo?: () => void;
  readonly redo?: () => void;
  discard(): void;
  /** Bases the draft on another version of the module, with this source or the published one. */
  rebase(module: Module, source?: Source): void;
}

/** The version that a draft is based on. */
export interface Base {
  readonly version: number;
  readonly source: Source;
}

/** The panes of the editor. On wide screens all are visible, and only properties and JSON alternate. */
export const panes = ['fields', 'properties', 'json', 'preview', 'plan'] as const;
export type Pane = (typeof panes)[number];

export const DraftContext = createContext<Draft | null>(null);

/** The draft of the surrounding editor. */
export function useDraft(): Draft {
  const draft = use(DraftContext);
  if (!draft) throw new Error('useDraft needs an Editor above it.');
  return draft;
}
