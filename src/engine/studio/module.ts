import type { Source } from '../definitions/source';

/** A definition as the studio works on it: `GET modules` answers these, `GET modules/{name}` one. */
export interface Module {
  readonly name: string;
  readonly labels: { readonly one: string; readonly many: string };
  /** Whether it came with the program or was made in the studio. */
  readonly origin: 'shipped' | 'custom';
  /** Grows with everything that is published, shipped or taken back. */
  readonly version: number;
  /** A shipped one that differs from what was shipped. */
  readonly customised: boolean;
  /** Taken out of use: its table stays until it is purged. */
  readonly retired: boolean;
  /** Who made the newest version and when; null: no version is remembered, or none yet. */
  readonly changed: Pick<ModuleVersion, 'user' | 'created_at'> | null;
  /** As written, keys in their order. */
  readonly definition: Source;
  /** What was shipped, where it differs. */
  readonly shipped: Source | null;
  /** A newer shipped definition that could not be joined with the changes by itself. */
  readonly upgrade: Upgrade | null;
  /** Columns of its table that no field uses any longer. Known for one module, empty in the list. */
  readonly hidden: readonly HiddenColumn[];
  /** Why what is written here is not in force: something that it was right with before, or that had to go. */
  readonly faults?: readonly { readonly path: string; readonly message: string }[];
}

/** A newer shipped definition, joined with the changes made here as far as they do not contradict each other. */
export interface Upgrade {
  /** What was shipped newly. */
  readonly shipped: Source;
  /** With every conflict decided for the changes made here. */
  readonly merged: Source;
  readonly conflicts: readonly Conflict[];
}

/** A place that both sides changed, each in its own way. A value that is not there is left out. */
export interface Conflict {
  /** JSON pointer into the definition. */
  readonly path: string;
  /** What both came from, what is shipped now, and what was made here. */
  readonly base?: unknown;
  readonly shipped?: unknown;
  readonly changed?: unknown;
}

/** What is stored and no field of the definition uses: a column, or the links of a field of many relations. */
export interface HiddenColumn {
  /** Of links: the name that their field had. */
  readonly column: string;
  /** PostgreSQL's type; `relations` of links. */
  readonly type: string;
  /** How many records hold a value. */
  readonly values: number;
}

/** What publishing a definition would do; `POST modules/{name}/plan` answers it. */
export interface ModulePlan {
  readonly valid: boolean;
  readonly errors: readonly { readonly path: string; readonly message: string; readonly module?: string }[];
  readonly steps: readonly PlanStep[];
}

/** One consequence of publishing. */
export interface PlanStep {
  /** What happens to the table (`addColumn`, …), or `rule` for one that stored records break, or `words` for what only shows. */
  readonly kind: string;
  readonly text: string;
  /** Empty where no table changes. */
  readonly sql: string;
  readonly destructive: boolean;
  /** Stored rows that it touches, or that would break a new rule. */
  readonly rows: number;
  /** Of a destructive one: all rows of its table, where they could be counted in time. */
  readonly of?: number;
  /** Of a broken rule: the first ids of the records that break it. */
  readonly records?: readonly number[];
}

/** `GET modules/{name}/versions`, newest first. */
export interface ModuleVersion {
  readonly version: number;
  /** null: the program itself, at a start or an upgrade. */
  readonly user: { readonly id: number; readonly name: string } | null;
  readonly created_at: string;
  readonly event: 'shipped' | 'published' | 'restored' | 'merged' | 'returned' | 'retired';
  /** As written at the time. */
  readonly definition: Source;
}
