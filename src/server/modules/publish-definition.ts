import type { ModuleVersion, PlanStep } from '../../engine/studio/module';
import type { Proposal, Stage } from '../definitions/stage';
import { storeModule, serializeSource, type Publisher, type StoredModule } from '../definitions/stored-modules';
import { Conflict, Invalid, Unavailable } from '../errors/errors';
import { TablesBusyError } from '../sync/lock-tables';
import { PurgeError } from '../sync/purge';
import { isForbidden, type Step } from '../sync/step';
import { syncInTransaction, SyncError } from '../sync/sync';
import { planProposal } from './plan-draft';

/** A text to publish, with the options of the request. */
export interface Publication {
  readonly name: string;
  readonly text: string;
  readonly event: ModuleVersion['event'];
  readonly by: Publisher;
  /** Stored values may be lost. */
  readonly confirm: boolean;
  /** Hidden columns to drop. */
  readonly purge?: readonly string[];
  /** The user has reviewed the shipped version: the text decides what is adopted from it. */
  readonly isReviewed?: boolean;
}

/**
 * Publishes a text within a stage: validates it with all others, plans, changes its tables, and stores a version.
 * Throws Invalid with problems by path; Conflict if stored values would be lost without confirmation, or PostgreSQL
 * refuses.
 */
export async function publishDefinition(stage: Stage, publication: Publication): Promise<Proposal> {
  const { name, text, event, by } = publication;
  const proposal = stage.propose(name, text);
  assertNoProblems(name, proposal);
  await changeTables(stage, proposal, publication);
  const module = toStoredModule(stage, publication);
  await storeModule(stage.trx, module, { source: text, event, by });
  return proposal;
}

/** Whether publishing would change nothing. */
export function isUnchanged(stage: Stage, { name, text, purge = [], isReviewed }: Publication): boolean {
  const module = stage.stored.get(name);
  const source = stage.before.sources.get(name);
  if (purge.length > 0 || isReviewed || !module || module.retired_at !== null || !source) return false;
  return text === (module.source ?? serializeSource(source));
}

function assertNoProblems(name: string, { problems }: Proposal): void {
  if (problems.length === 0) return;
  const errors: Record<string, string> = Object.create(null);
  for (const fault of problems) {
    const own = fault.name === name;
    const path = own ? fault.path : '';
    const message = own ? fault.message : `Conflicts with ${fault.name} (${fault.path}): ${fault.message}`;
    errors[path] = errors[path] === undefined ? message : `${errors[path]} ${message}`;
  }
  throw new Invalid(errors, 'The definition is not valid yet. Nothing was changed.');
}

async function changeTables(stage: Stage, proposal: Proposal, publication: Publication): Promise<void> {
  const { name, confirm, purge = [] } = publication;
  try {
    const steps = await planProposal(stage, name, proposal, purge);
    assertNoLosses(steps, confirm);
    const options = {
      destructive: confirm,
      before: stage.before.registry,
      ...(purge.length > 0 && { purge: { resource: name, columns: purge } }),
    };
    const { refused } = await syncInTransaction(stage.trx, proposal.registry, options);
    // Rows stored since the plan was made may violate it.
    assertNoLosses(refused, false);
  } catch (error) {
    if (error instanceof PurgeError) throw new Invalid({ purge: error.message });
    if (error instanceof TablesBusyError) throw new Unavailable(error.message);
    if (error instanceof SyncError) throw new Conflict(`${error.message}. Nothing was changed.`);
    throw error;
  }
}

function assertNoLosses(steps: readonly StepSummary[], confirm: boolean): void {
  const losing = steps.filter(({ destructive }) => destructive);
  const forbidden = losing.filter((step) => isForbidden(step as Pick<Step, 'kind' | 'destructive'>));
  if (forbidden.length > 0) {
    throw new Conflict(`${describeSteps(forbidden, 'violating it')} Fix these records first. Nothing was changed.`);
  }
  if (losing.length === 0 || confirm) return;
  const why = 'Stored values may be lost, so this needs your confirmation. Nothing was changed.';
  throw new Conflict(`${describeSteps(losing, 'affected')} ${why}`);
}

type StepSummary = Pick<PlanStep, 'text' | 'destructive'> & { readonly kind: string; readonly rows?: number };

function describeSteps(steps: readonly StepSummary[], what: string): string {
  return steps
    .map(({ text, rows = 0 }) => {
      const counted = rows === 1 ? `1 stored row ${what}` : `${rows} stored rows ${what}`;
      return `${text.replace(/\.$/, '')}: ${counted}.`;
    })
    .join(' ');
}

function toStoredModule(stage: Stage, { name, text, isReviewed }: Publication): StoredModule {
  const module = stage.stored.get(name);
  const shippedText = stage.shipped.get(name);
  const version = (module?.version ?? 0) + 1;
  const row = { name, retired_at: null, version };
  if (shippedText === undefined) return { ...row, origin: 'custom', source: text, base: module?.base ?? null };
  if (text === shippedText) return { ...row, origin: 'shipped', source: null, base: null };
  const base = isReviewed ? shippedText : (module?.base ?? shippedText);
  return { ...row, origin: 'shipped', source: text, base };
}
