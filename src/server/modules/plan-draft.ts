import type { ModulePlan, PlanStep } from '../../engine/studio/module';
import type { Proposal, Stage } from '../definitions/stage';
import { planModule } from '../sync/plan-module';
import { PurgeError } from '../sync/purge';
import { draftProblem } from './parse-draft';
import { serializeSource } from '../definitions/stored-modules';
import type { Source } from '../../engine/definitions/source';

/** What publishing a draft would do, or its problems. */
export async function planDraft(
  stage: Stage,
  name: string,
  definition: unknown,
  purge: readonly string[],
): Promise<ModulePlan> {
  const fault = draftProblem(definition, name);
  if (fault) return { valid: false, errors: [fault], steps: [] };
  const proposal = stage.propose(name, serializeSource(definition as Source));
  const errors = proposal.problems.map((one) => ({
    path: one.path,
    message: one.message,
    ...(one.name !== name && { module: one.name }),
  }));
  if (errors.length > 0) return { valid: false, errors, steps: [] };
  try {
    return { valid: true, errors, steps: await planProposal(stage, name, proposal, purge) };
  } catch (error) {
    if (!(error instanceof PurgeError)) throw error;
    return { valid: false, errors: [{ path: '', message: error.message }], steps: [] };
  }
}

/** The steps of a valid proposal. Throws PurgeError. */
export function planProposal(
  stage: Stage,
  name: string,
  proposal: Proposal,
  purge: readonly string[] = [],
): Promise<PlanStep[]> {
  return planModule(stage.trx, {
    name,
    before: stage.before.registry,
    after: proposal.registry,
    sources: { before: stage.before.sources.get(name), after: proposal.sources.get(name) },
    purge,
  });
}
