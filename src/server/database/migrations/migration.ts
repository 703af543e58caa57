import type { Queries } from '../database';

/** A step of the engine's own schema `assay`, applied once, in order; never changed once it has shipped. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** Changes stored values that SQL cannot read, after the statements of `sql`. */
  rewrite?(queries: Queries): Promise<void>;
}
