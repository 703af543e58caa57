import type { Logger } from 'pino';
import type { Source } from '../../engine/definitions/source';
import { diffDefinitions } from '../../engine/studio/diff-definitions';

/** How many changes of one definition are logged; others are only counted. */
const maxLoggedChanges = 12;

/** Logs the changes of newly activated definitions, one line each. */
export function logChanges(
  log: Pick<Logger, 'info'>,
  names: readonly string[],
  before: ReadonlyMap<string, Source>,
  after: ReadonlyMap<string, Source>,
): void {
  for (const name of names) {
    const source = after.get(name);
    if (!source) log.info(`${name}: no longer active.`);
    else log.info(`${name}: ${describeChanges(before.get(name), source)}.`);
  }
}

function describeChanges(before: Source | undefined, after: Source): string {
  if (!before) return 'new module';
  const changes = diffDefinitions(before, after).map(({ kind, subject, text }) => `${subject} ${text || kind}`);
  if (changes.length === 0) return 'only the formatting changed';
  const more = changes.length > maxLoggedChanges ? [`${changes.length - maxLoggedChanges} more changes`] : [];
  return [...changes.slice(0, maxLoggedChanges), ...more].join('; ');
}
