import { createRegistry, type Registry } from '../../engine/definitions/registry';
import type { Transaction } from '../database/database';
import type { DefinitionFault } from './definition-fault';
import type { Step } from '../sync/step';
import { keyOf, nameOf, type Candidates } from './candidates';
import { DefinitionsError } from './definitions-error';
import { bringTables } from './refusals';
import { isReported, settle, type Judge, type Settled } from './settle';

/** Definitions and tables that agree with one another. */
export interface Agreement {
  readonly settled: Settled;
  readonly registry: Registry;
  /** What stood back, as its tables could lose stored values. */
  readonly faults: readonly DefinitionFault[];
  /** The keys of those candidates. */
  readonly refused: ReadonlySet<string>;
  readonly applied: readonly Step[];
}

/**
 * Settles the candidates and brings the tables to them, within a transaction that has the lock; what could lose stored
 * values stands back. Throws DefinitionsError where something that ships can be had in no way.
 */
export async function agree(
  trx: Transaction,
  candidates: Candidates,
  judge: Judge,
  version: number,
): Promise<Agreement> {
  const faults: DefinitionFault[] = [];
  const refused = new Set<string>();
  const applied: Step[] = [];
  for (;;) {
    const settled = settle(candidates, judge, refused);
    const registry = createRegistry(settled.definitions, version);
    const brought = await bringTables(trx, registry);
    applied.push(...brought.applied);
    if (brought.refused.size === 0) return { settled, registry, faults, refused, applied };
    for (const [name, message] of brought.refused) {
      const one = settled.inForce.find(({ file }) => nameOf(file) === name)!;
      const fault = { file: one.file, path: '', message };
      if (isReported(one)) faults.push(fault);
      refused.add(keyOf(one));
      const others = candidates.get(name)!.filter((other) => !refused.has(keyOf(other)));
      if (others.length === 0 && one.from !== 'stored') throw new DefinitionsError([...settled.faults, ...faults]);
    }
  }
}
