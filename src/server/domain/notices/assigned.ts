import type { Hook } from '../../program';
import { nameOf, recipients } from './recipients';
import { tell } from './tell';

const occasions = { tasks: 'task_assigned', 'test-cases': 'test_case_assigned' } as const;

/** afterSave of what is assigned: whoever it is now assigned to is told, unless they did it themselves. */
export const tellAssigned: Hook = async ({ program, trx, actor, definition, before, values }) => {
  const record = { ...before, ...values };
  const assigned = record.assigned_to;
  if (typeof assigned !== 'number' || assigned === before?.assigned_to || assigned === actor.id) return;
  await tell(program, trx, {
    occasion: occasions[definition.name as keyof typeof occasions],
    company: record.site_id as number | null,
    recipients: await recipients(trx, [assigned], record.project_id as number),
    link: `/${definition.name}/${record.id}`,
    values: { title: String(record.name), actor: await nameOf(trx, actor.id) },
  });
};
