import type { Source } from '../language/source';

/** A module in the studio, as returned by `GET modules` and `GET modules/{name}`. */
export interface Module {
  readonly name: string;
  readonly labels: { readonly one: string; readonly many: string };
  /** Whether it was shipped or created in the studio. */
  readonly origin: 'shipped' | 'custom';
  /** Incremented by every publication, upgrade and restore. */
  readonly version: number;
  /** A shipped definition with local changes. */
  readonly customised: boolean;
  /** No longer in use: its table stays until it is purged. */
  readonly retired: boolean;
  /** The author and time of the latest version; null: none recorded yet. */
  readonly changed: Pick<ModuleVersion, 'user' | 'created_at'> | null;
  /** As written, keys in their order. */
  readonly definition: Source;
  /** The shipped definition, if it differs. */
  readonly shipped: Source | null;
  /** A newer shipped definition that could not be joined with the changes by itself. */
  readonly upgrade: Upgrade | null;
  /** Columns of its table that no field uses any more. Filled for a single module, empty in the list. */
  readonly hidden: readonly HiddenColumn[];
  /** Why this definition is not active: something that it depends on changed. */
  readonly faults?: readonly { readonly path: string; readonly message: string }[];
}

/** A new shipped version, merged with the local changes except for conflicts. */
export interface Upgrade {
  /** The new shipped version. */
  readonly shipped: Source;
  /** With every conflict resolved in favour of the local changes. */
  readonly merged: Source;
  readonly conflicts: readonly Conflict[];
}

/** A place that both sides changed differently. Missing values are left out. */
export interface Conflict {
  /** JSON pointer into the definition. */
  readonly path: string;
  /** The common base, the shipped version, and the local change. */
  readonly base?: unknown;
  readonly shipped?: unknown;
  readonly changed?: unknown;
}

/** Stored data that no field uses: a column, or the join table of a field with many relations. */
export interface HiddenColumn {
  /** Of links: the name that their field had. */
  readonly column: string;
  /** PostgreSQL's type; `relations` of links. */
  readonly type: string;
  /** The number of records with a value. */
  readonly values: number;
}

/** The effect of publishing a definition, as returned by `POST modules/{name}/plan`. */
export interface ModulePlan {
  readonly valid: boolean;
  readonly errors: readonly { readonly path: string; readonly message: string; readonly module?: string }[];
  readonly steps: readonly PlanStep[];
}

/** One consequence of publishing. */
export interface PlanStep {
  /**
   * The change of the table (`addColumn`, …), `rule` for a rule that stored records violate, or `words` for a change of
   * texts.
   */
  readonly kind: string;
  readonly text: string;
  /** Empty if no table changes. */
  readonly sql: string;
  readonly destructive: boolean;
  /** Of a destructive step: the column that keeps the values as they were until it is purged. */
  readonly keeps?: string;
  /** Whether the stored rows that violate it prevent publishing, even with confirmation. */
  readonly forbidden?: true;
  /** Whether the values that do not fit a new type could not be counted in time. */
  readonly uncounted?: true;
  /** Stored rows that it touches (of a destructive step those whose value is lost or changed), or that would break a new rule. */
  readonly rows: number;
  /** For a destructive step: the number of rows in its table, if they could be counted in time. */
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
  /** The note of its author; null: none. */
  readonly note: string | null;
  /** As written at the time. */
  readonly definition: Source;
}
