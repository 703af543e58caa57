import type { Source } from '../language/source';

/** The content of a draft: the definition, and what is published with it. */
export interface DraftContent {
  /** The version that the draft began with; 0: the module was never published. */
  readonly base: { readonly version: number; readonly source: Source };
  /** The definition as of the last text that could be read. */
  readonly source: Source;
  /** As typed into the JSON editor, even if it cannot be read. */
  readonly text: string;
  /** Hidden columns to drop when it is published. */
  readonly purge: readonly string[];
  /** Whether publishing it completes the pending upgrade. */
  readonly takes_shipped: boolean;
}

/** A draft in the list of the studio: `GET module-drafts`. */
export interface ModuleDraft {
  /** The module's name. */
  readonly name: string;
  /** The module's plural label in the draft. */
  readonly label: string;
  readonly user: { readonly id: number; readonly name: string };
  readonly base_version: number;
  /** Incremented whenever it is saved or changes hands. */
  readonly revision: number;
  readonly updated_at: string;
}

/** A draft with what is typed into it: `GET module-drafts/{name}`. */
export interface WholeModuleDraft extends ModuleDraft, DraftContent {}

/** An administrator whom a draft can be handed to. `has_draft`: they have one of this module already. */
export interface DraftRecipient {
  readonly id: number;
  readonly name: string;
  readonly has_draft: boolean;
}
