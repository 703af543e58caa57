/** A problem in a definition, with its position. */
export interface DefinitionProblem {
  readonly file: string;
  /** JSON pointer into the file. */
  readonly path: string;
  readonly line?: number;
  readonly message: string;
}

/** Thrown if the definitions can't be activated and there are no previous ones. One line per problem. */
export class DefinitionsError extends Error {
  constructor(readonly problems: readonly DefinitionProblem[]) {
    super(problems.map(describeProblem).join('\n'));
  }
}

/** `resources/tasks.json:12 /fields/name There is …` */
export function describeProblem({ file, line, path, message }: DefinitionProblem): string {
  return `${file}${line === undefined ? '' : `:${line}`}${path && ` ${path}`} ${message}`;
}
