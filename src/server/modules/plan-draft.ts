import type { ModulePlan, PlanStep } from '../../engine/studio/module';
import type { Proposal, Stage } from '../definitions/stage';
import { planModule } from '../sync/plan-module';
import { PurgeError } from '../sync/purge';
import { serializeSource } from '../definitions/stored-modules';
import type { Source } from '../../engine/language/source';
import { checkSize } from '../../engine/check/check-size';
import { Invalid } from '../errors/errors';

/** Plans the publication of a draft, or returns its problems. */
export async function planDraft(
  stage: Stage,
  name: string,
  definition: unknown,
  purge: readonly string[],
): Promise<ModulePlan> {
  const fault = draftProblem(definition, name);
  if (fault) return { valid: false, errors: [fault], steps: [] };
  const proposal = stage.propose(name, serializeSource(definition as Source));
  const errors = proposal.problems.map((fault) => ({
    path: fault.path,
    message: fault.message,
    ...(fault.name !== name && { module: fault.name }),
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
    role: stage.role,
    previousRegistry: stage.current.registry,
    nextRegistry: proposal.registry,
    sources: { before: stage.current.sources.get(name), after: proposal.sources.get(name) },
    purge,
  });
}

/** A problem of a draft that is found before it is validated with the others; undefined if there is none. */
function draftProblem(definition: unknown, name?: string): { path: string; message: string } | undefined {
  const sizeProblem = checkSize(definition);
  if (sizeProblem) return sizeProblem;
  const ownName = (definition as Partial<Source>).name;
  if (name !== undefined && ownName !== name)
    return { path: '/name', message: `The name of a module cannot change: this one is named "${name}".` };
  return undefined;
}

/** The name and the text of a draft. Throws Invalid if it can't be validated at all. */
export function parseDraft(definition: unknown, name?: string): { name: string; text: string } {
  const fault = draftProblem(definition, name);
  if (fault) throw new Invalid({ [fault.path]: fault.message });
  const { name: ownName } = definition as Partial<Source>;
  if (typeof ownName !== 'string' || ownName === '') throw new Invalid({ '/name': '"name" is missing.' });
  return { name: ownName, text: serializeSource(definition as Source) };
}
