/** A fault in a written definition, as an editor would point at it. */
export interface DefinitionFault {
  readonly file: string;
  /** JSON pointer into the file. */
  readonly path: string;
  readonly line?: number;
  readonly message: string;
}
