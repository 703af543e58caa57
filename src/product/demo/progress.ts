import type { DemoCompany } from './people';
import type { DemoLoader, StoredProject } from './loader';
import { onEngineTables } from '../../server/database/engine-tables';

/** Stores the status changes of projects, so that their history is not empty. */
export async function storeProgress(
  { trx, registry, calendar }: DemoLoader,
  company: DemoCompany,
  projects: readonly StoredProject[],
): Promise<void> {
  const { name } = registry.getOrThrow('projects');
  const user_id = company.people.manager ?? company.owner;
  const entries = projects.flatMap(({ id, told }) => {
    const begun = { from: 1, to: 2, day: told.start };
    const ended = { from: 2, to: told.status, day: told.end ?? -1 };
    const steps = told.status === 1 ? [] : told.status === 2 ? [begun] : [begun, ended];
    return steps.map(({ from, to, day }) => ({
      resource: name,
      record_id: id,
      event: 'updated',
      old_values: JSON.stringify({ project_status_id: from }),
      new_values: JSON.stringify({ project_status_id: to }),
      user_id,
      created_at: calendar.at(day, 9, 30),
    }));
  });
  await onEngineTables(trx).insertInto('history').values(entries).execute();
}
