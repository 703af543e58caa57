/** A problem in a definition, with its position. */
export interface DefinitionProblem {
  readonly file: string;
  /** JSON pointer into the file. */
  readonly path: string;
  readonly line?: number;
  readonly message: string;
}
