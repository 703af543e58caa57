import type { DefinitionFault } from './definition-fault';

/** The definitions cannot be brought into force, and there are none from before. One line a fault. */
export class DefinitionsError extends Error {
  constructor(readonly faults: readonly DefinitionFault[]) {
    super(faults.map(describeFault).join('\n'));
  }
}

/** `resources/tasks.json:12 /fields/name There is …` */
export function describeFault({ file, line, path, message }: DefinitionFault): string {
  return `${file}${line === undefined ? '' : `:${line}`}${path && ` ${path}`} ${message}`;
}
