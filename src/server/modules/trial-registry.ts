import type { Registry } from '../../engine/registry/registry';
import type { Source } from '../../engine/language/source';
import type { LiveDefinitions } from '../definitions/live-definitions';
import { serializeSource } from '../definitions/stored-modules';
import { NotFound } from '../errors/errors';
import { assertNoProblems } from './change-modules';
import { parseDraft, planProposal } from './plan-draft';

/** Part of the cache keys of a try-out's statements, which keeps them apart from those of definitions in force. */
let lastTrial = 0;

/**
 * The definitions with a draft, to be tried out on stored records; without one, those in force. If the draft would
 * change tables, its automations alone are taken over, because records are still stored as before. Throws Invalid for a
 * draft with faults, NotFound for a name that has no table yet.
 */
export async function trialRegistry(
  definitions: LiveDefinitions,
  name: string,
  draft: unknown,
): Promise<{ readonly registry: Registry; readonly note: string | null }> {
  if (draft === undefined) {
    const registry = definitions.registry();
    if (!registry.get(name)) throw new NotFound();
    return { registry, note: null };
  }
  return definitions.dryRun(async (stage) => {
    const inForce = stage.current.sources.get(name);
    if (!inForce || !stage.current.registry.get(name)) throw new NotFound();
    const { text } = parseDraft(draft, name);
    const proposal = stage.propose(name, text);
    assertNoProblems(name, proposal);
    const steps = await planProposal(stage, name, proposal);
    if (steps.every((step) => step.sql === '')) return { registry: asTrial(proposal.registry), note: null };
    const { when: automations, ...otherKeys } = { ...inForce, when: (draft as Source).automations };
    const stagedProposal = stage.propose(name, serializeSource({ ...otherKeys, ...(automations && { automations }) }));
    assertNoProblems(
      name,
      stagedProposal,
      'The automations need fields that are not published yet. Publish those first.',
    );
    const note = 'The draft changes tables, so only its automations were tried out, on the definition in force.';
    return { registry: asTrial(stagedProposal.registry), note };
  });
}

/** Definitions under a version that no others have. */
export function asTrial(registry: Registry): Registry {
  lastTrial -= 1;
  return Object.freeze({ ...registry, version: lastTrial });
}
