import { createRegistry, type Registry } from '../../engine/definitions/registry';
import type { Transaction } from '../database/database';
import type { DefinitionProblem } from './definition-problem';
import type { Step } from '../sync/step';
import { candidateKey, definitionName, type Candidates } from './candidates';
import { DefinitionsError } from './definitions-error';
import { syncOrRefuse } from './sync-or-refuse';
import {
  isReportable,
  resolveActiveDefinitions,
  type DefinitionsValidator,
  type ActiveDefinitions,
} from './active-definitions';

/** Definitions whose tables match them. */
export interface SyncedDefinitions {
  readonly active: ActiveDefinitions;
  readonly registry: Registry;
  /** Problems of candidates that were dropped because their tables could lose stored values. */
  readonly problems: readonly DefinitionProblem[];
  /** The keys of those candidates. */
  readonly refused: ReadonlySet<string>;
  readonly applied: readonly Step[];
}

/**
 * Resolves the candidates to active definitions and changes the tables to match, within a transaction that holds the
 * schema lock. Drops candidates whose changes could lose stored values. Throws DefinitionsError if no candidate of a
 * shipped definition works.
 */
export async function resolveAndSync(
  trx: Transaction,
  candidates: Candidates,
  validate: DefinitionsValidator,
  version: number,
): Promise<SyncedDefinitions> {
  const problems: DefinitionProblem[] = [];
  const refused = new Set<string>();
  const applied: Step[] = [];
  for (;;) {
    const active = resolveActiveDefinitions(candidates, validate, refused);
    const registry = createRegistry(active.definitions, version);
    const tableSync = await syncOrRefuse(trx, registry);
    applied.push(...tableSync.applied);
    if (tableSync.refused.size === 0) return { active, registry, problems, refused, applied };
    for (const [name, message] of tableSync.refused) {
      const one = active.texts.find(({ file }) => definitionName(file) === name)!;
      const fault = { file: one.file, path: '', message };
      if (isReportable(one)) problems.push(fault);
      refused.add(candidateKey(one));
      const others = candidates.get(name)!.filter((other) => !refused.has(candidateKey(other)));
      if (others.length === 0 && one.from !== 'stored') throw new DefinitionsError([...active.problems, ...problems]);
    }
  }
}
