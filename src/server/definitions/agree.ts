import { createRegistry, type Registry } from '../../engine/definitions/registry';
import type { Transaction } from '../database/database';
import type { DefinitionFault } from './definition-fault';
import type { Step } from '../sync/step';
import { keyOf, nameOf, type Candidates } from './candidates';
import { DefinitionsError } from './definitions-error';
import { bringTables } from './refusals';
import { isReported, settle, type Judge, type Settled } from './settle';

/** Definitions whose tables match them. */
export interface Agreement {
  readonly settled: Settled;
  readonly registry: Registry;
  /** Problems of candidates that were dropped because their tables could lose stored values. */
  readonly faults: readonly DefinitionFault[];
  /** The keys of those candidates. */
  readonly refused: ReadonlySet<string>;
  readonly applied: readonly Step[];
}

/**
 * Resolves the candidates to active definitions and changes the tables to match, within a transaction that holds the
 * schema lock. Drops candidates whose changes could lose stored values. Throws DefinitionsError if no candidate of a
 * shipped definition works.
 */
export async function agree(
  trx: Transaction,
  candidates: Candidates,
  validate: Judge,
  version: number,
): Promise<Agreement> {
  const problems: DefinitionFault[] = [];
  const refused = new Set<string>();
  const applied: Step[] = [];
  for (;;) {
    const active = settle(candidates, validate, refused);
    const registry = createRegistry(active.definitions, version);
    const tableSync = await bringTables(trx, registry);
    applied.push(...tableSync.applied);
    if (tableSync.refused.size === 0) return { settled: active, registry, faults: problems, refused, applied };
    for (const [name, message] of tableSync.refused) {
      const one = active.inForce.find(({ file }) => nameOf(file) === name)!;
      const fault = { file: one.file, path: '', message };
      if (isReported(one)) problems.push(fault);
      refused.add(keyOf(one));
      const others = candidates.get(name)!.filter((other) => !refused.has(keyOf(other)));
      if (others.length === 0 && one.from !== 'stored') throw new DefinitionsError([...active.faults, ...problems]);
    }
  }
}
