import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Registry } from '../../engine/definitions/registry';
import type { Database } from '../database/database';
import type { DefinitionFault } from '../program';
import type { Step } from '../sync/step';
import { sync, SyncError } from '../sync/sync';

/** A first start makes everything: more steps than anybody reads. */
const told = 30;

/**
 * Brings the tables to the definitions, tells each step that was taken, and answers what could not be had without
 * losing stored values.
 */
export async function refusals(
  database: Database,
  registry: Registry,
  folder: string,
  log: Logger,
): Promise<DefinitionFault[]> {
  const fault = (resource: string, message: string) => ({ file: join(folder, `${resource}.json`), path: '', message });
  try {
    const { applied, refused } = await sync(database, registry);
    if (applied.length > told) log.info(`${applied.length} steps brought the tables to the definitions.`);
    else for (const step of applied) log.info(step.text);
    const resources = [...new Set(refused.map((step) => step.resource))];
    return resources.map((resource) => fault(resource, refusal(refused.filter((step) => step.resource === resource))));
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return [fault(error.step.resource, `${error.message}.`)];
  }
}

/** What stands in the way and, where it can be done all the same, the statements for somebody who has decided to. */
function refusal(steps: readonly Step[]): string {
  const [change, ...others] = steps.filter((step) => step.destructive);
  const reasons = [change!, ...others].map(({ kind, text, rows = 0 }) => {
    const held = rows === 1 ? '1 stored row' : `${rows} stored rows`;
    return kind === 'changeType' ? `${text}: not done, as it may change ${held}.` : `${text}: ${held} against it.`;
  });
  if ([change!, ...others].some((step) => step.kind !== 'changeType')) return reasons.join(' ');
  return `${reasons.join(' ')} To do it all the same, run: begin; ${steps.map(({ sql }) => sql).join('; ')}; commit;`;
}
