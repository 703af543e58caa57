import { sql } from 'kysely';
import { createRegistry, type Registry } from '../../engine/registry/registry';
import type { Transaction } from '../database/database';
import { type DefinitionProblem, DefinitionsError } from './definition-problem';
import type { SchemaRole } from '../sync/schema-role';
import type { Step } from '../sync/step';
import { candidateKey, definitionName, type Candidates } from './candidates';
import {
  isReportable,
  resolveActiveDefinitions,
  type DefinitionsValidator,
  type ActiveDefinitions,
} from './active-definitions';
import { syncInTransaction, SyncError } from '../sync/sync';
import { getOrThrow, requireValue } from '../../engine/values/lookups';

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
 * schema lock. Drops candidates whose changes could lose stored values. An `older` version leaves the tables as they are.
 * Throws DefinitionsError if no candidate of a shipped definition works.
 */
export async function resolveAndSync(
  trx: Transaction,
  candidates: Candidates,
  validate: DefinitionsValidator,
  version: number,
  role: SchemaRole,
): Promise<SyncedDefinitions> {
  const problems: DefinitionProblem[] = [];
  const refusedKeys = new Set<string>();
  const appliedSteps: Step[] = [];
  for (;;) {
    const active = resolveActiveDefinitions(candidates, validate, refusedKeys);
    const registry = createRegistry(active.definitions, version);
    if (role === 'older') return { active, registry, problems, refused: refusedKeys, applied: appliedSteps };
    const tableSync = await syncOrRefuse(trx, registry, role);
    appliedSteps.push(...tableSync.applied);
    if (tableSync.refused.size === 0)
      return { active, registry, problems, refused: refusedKeys, applied: appliedSteps };
    for (const [name, message] of tableSync.refused) {
      const activeCandidate = requireValue(
        active.texts.find(({ file }) => definitionName(file) === name),
        `the file of ${name}`,
      );
      const fault = { file: activeCandidate.file, path: '', message };
      if (isReportable(activeCandidate)) problems.push(fault);
      refusedKeys.add(candidateKey(activeCandidate));
      const otherCandidates = getOrThrow(candidates, name).filter(
        (candidate) => !refusedKeys.has(candidateKey(candidate)),
      );
      if (otherCandidates.length === 0 && activeCandidate.origin !== 'stored')
        throw new DefinitionsError([...active.problems, ...problems]);
    }
  }
}

/** The result of syncing tables with definitions. */
export interface TableSync {
  readonly applied: readonly Step[];
  /** Messages by resource: changes that would lose stored values. */
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * Changes the tables to match the definitions, within a transaction that holds the schema lock, and returns what was
 * refused. If PostgreSQL refuses a step, nothing was changed.
 */
async function syncOrRefuse(trx: Transaction, registry: Registry, role: SchemaRole): Promise<TableSync> {
  await sql`savepoint tables`.execute(trx);
  try {
    const { appliedSteps, refusedSteps } = await syncInTransaction(trx, registry, { role });
    const resources = [...new Set(refusedSteps.map((step) => step.resource))];
    const message = (name: string) => refusalMessage(refusedSteps.filter((step) => step.resource === name));
    return { applied: appliedSteps, refused: new Map(resources.map((name) => [name, message(name)])) };
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    await sql`rollback to savepoint tables`.execute(trx);
    return { applied: [], refused: new Map([[error.step.resource, `${error.message}.`]]) };
  }
}

/** The reasons and, where possible, the statements to run manually to apply the change anyway. */
function refusalMessage(steps: readonly Step[]): string {
  const changes = steps.filter((step) => step.destructive);
  const reasons = changes.map(({ kind, text, rows = 0 }) => {
    const rowsText = rows === 1 ? '1 stored row' : `${rows} stored rows`;
    return kind === 'changeType'
      ? `${text}: skipped because it may change ${rowsText}.`
      : `${text}: ${rowsText} violate${rows === 1 ? 's' : ''} it.`;
  });
  if (changes.some((step) => step.kind !== 'changeType')) return reasons.join(' ');
  return `${reasons.join(' ')} To apply it anyway, run: begin; ${steps.map(({ sql }) => sql).join('; ')}; commit;`;
}
