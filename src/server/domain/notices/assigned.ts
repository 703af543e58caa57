import type { Hook, HookContext } from '../../program';
import { tell, type Telling } from './tell';

const occasions = { tasks: 'task_assigned', 'test-cases': 'test_case_assigned' } as const;

/** afterSave of assigned records: notifies the new assignee, unless they did it themselves. */
export const tellAssigned: Hook = async (context) => {
  await tell(context.program, context.trx, ...assigned(context));
};

/** Notifies about many records with the same statements. */
tellAssigned.ofMany = async (contexts) => {
  const { program, trx } = contexts[0]!;
  await tell(program, trx, ...contexts.flatMap(assigned));
};

tellAssigned.idle = (context) => assigned(context).length === 0;

function assigned({ actor, definition, before, values }: HookContext): Telling[] {
  const record = { ...before, ...values };
  const to = record.assigned_to;
  if (typeof to !== 'number' || to === before?.assigned_to || to === actor.id) return [];
  return [
    {
      occasion: occasions[definition.name as keyof typeof occasions],
      company: record.site_id as number | null,
      to: [to],
      project: record.project_id as number,
      link: `/${definition.name}/${record.id}`,
      actor: actor.id,
      values: { title: String(record.name) },
    },
  ];
}
