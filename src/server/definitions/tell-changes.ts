import type { Logger } from 'pino';
import type { Source } from '../../engine/definitions/source';
import { changesBetween } from '../../engine/studio/changes';

/** Changes of one definition that are told; the others are counted. */
const told = 12;

/** Logs in words what is different about definitions that came into force, a line each. */
export function tellChanges(
  log: Pick<Logger, 'info'>,
  names: readonly string[],
  before: ReadonlyMap<string, Source>,
  after: ReadonlyMap<string, Source>,
): void {
  for (const name of names) {
    const source = after.get(name);
    if (!source) log.info(`${name}: not in force any more.`);
    else log.info(`${name}: ${inWords(before.get(name), source)}.`);
  }
}

function inWords(before: Source | undefined, after: Source): string {
  if (!before) return 'new module';
  const changes = changesBetween(before, after).map(({ kind, subject, text }) => `${subject} ${text || kind}`);
  if (changes.length === 0) return 'written in another way, nothing else is different';
  const more = changes.length > told ? [`${changes.length - told} more changes`] : [];
  return [...changes.slice(0, told), ...more].join('; ');
}
