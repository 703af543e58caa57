import type { Proposal, Stage } from '../definitions/stage';
import { storeModule, type Publisher } from '../definitions/stored-modules';
import { Conflict } from '../errors/errors';
import { dropForeignKeys, dropTables } from './module-tables';

/** Retires a custom module; its rows and grants are kept. Throws Conflict if other definitions refer to it. */
export async function retireModule(stage: Stage, name: string, by: Publisher): Promise<Proposal> {
  const { trx, stored } = stage;
  const module = stored.get(name)!;
  const proposal = stage.propose(name, null);
  if (proposal.problems.length > 0) {
    const places = proposal.problems.map((fault) => `${fault.name} (${fault.path})`);
    throw new Conflict(
      `Other modules refer to this one: ${places.join(', ')}. Change them first. Nothing was changed.`,
    );
  }
  await dropForeignKeys(trx, name, proposal.registry);
  const retired = { ...module, retired_at: new Date(), version: module.version + 1 };
  await storeModule(trx, retired, { source: module.source!, event: 'retired', by });
  return proposal;
}

/** Drops the table of a retired module with everything in it, and forgets the module. */
export async function purgeRetired({ trx, before }: Stage, name: string): Promise<void> {
  await dropTables(trx, name, before.registry);
}
