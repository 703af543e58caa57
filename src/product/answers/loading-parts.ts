/** A part of a run whose results are not stored entirely. */
export interface LoadingPart {
  /** Null: it has no name. */
  readonly part: string | null;
  readonly tests: number;
  /** How many of them are stored. */
  readonly stored: number;
  /** The upload has ended early: it has to be sent again. */
  readonly is_interrupted: boolean;
}
