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
  const entries = projects.flatMap(({ id, told: project }) => {
    const startStep = { from: 1, to: 2, day: project.start };
    const endStep = { from: 2, to: project.status, day: project.end ?? -1 };
    const steps = project.status === 1 ? [] : project.status === 2 ? [startStep] : [startStep, endStep];
    return steps.map(({ from: fromStatus, to: toStatus, day }) => ({
      site_id: company.site,
      resource: name,
      record_id: id,
      event: 'updated',
      old_values: JSON.stringify({ project_status_id: fromStatus }),
      new_values: JSON.stringify({ project_status_id: toStatus }),
      user_id,
      created_at: calendar.at(day, 9, 30),
    }));
  });
  await onEngineTables(trx).insertInto('history').values(entries).execute();
}
