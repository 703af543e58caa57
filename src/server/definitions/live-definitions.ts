import type { Registry } from '../../engine/registry/registry';
import type { Source } from '../../engine/language/source';
import type { DefinitionProblem } from './definition-problem';
import type { DefinitionSet, Stage } from './stage';
import type { ShippedTexts } from './upgrades';

/** The active definitions. A change replaces the registry as a whole; a request keeps the one it started with. */
export interface LiveDefinitions {
  registry(): Registry;
  /** The definition sources as written, by name. */
  sources(): ReadonlyMap<string, Source>;
  /** Calls `listener` after a change is active. Returns a function that unsubscribes. */
  onChange(listener: (registry: Registry) => void): () => void;
  /** The definitions shipped as files, by name, whether or not a stored one overrides them. */
  shippedSources(): ShippedTexts;
  /** Current errors in definitions. While a definition has errors, its previous version stays active. */
  problems(): readonly DefinitionProblem[];
  /** Whether a newer version of the program owns the tables, and this server leaves them as they are. */
  isOlder(): boolean;
  /** Runs a change of the stored definitions without saving it. */
  dryRun<T>(run: (stage: Stage) => Promise<T>): Promise<T>;
  /**
   * Changes a stored definition in one transaction, under a lock held across all servers. The returned definition is
   * active on every server once it has committed, together with its grants and rows.
   */
  change(name: string, run: (stage: Stage) => Promise<DefinitionSet | undefined>): Promise<void>;
  /** Resolves when a change that is being committed is active; undefined if there is none. */
  pendingSwap(): Promise<void> | undefined;
  close(): Promise<void>;
}
