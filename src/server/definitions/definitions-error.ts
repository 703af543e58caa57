import type { DefinitionFault } from './definition-fault';

/** Thrown if the definitions can't be activated and there are no previous ones. One line per problem. */
export class DefinitionsError extends Error {
  constructor(readonly faults: readonly DefinitionFault[]) {
    super(faults.map(describeFault).join('\n'));
  }
}

/** `resources/tasks.json:12 /fields/name There is …` */
export function describeFault({ file, line, path, message }: DefinitionFault): string {
  return `${file}${line === undefined ? '' : `:${line}`}${path && ` ${path}`} ${message}`;
}
