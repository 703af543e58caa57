import type { Hook, HookContext } from '../../server/program';
import { sendNotifications, type NotificationEvent } from '../../server/notifications/send-notifications';
import { firstOf } from '../../engine/values/lookups';
import { companyOf } from '../../engine/definitions/accessors';

const assignmentOccasions = { tasks: 'task_assigned', 'test-cases': 'test_case_assigned' } as const;

/** afterSave of assigned records: notifies the new assignee, unless they did it themselves. */
export const notifyAssigned: Hook = async (context) => {
  await sendNotifications(context.program, context.trx, ...assignmentEvents(context));
};

/** Notifies about many records with the same statements. */
notifyAssigned.runMany = async (contexts) => {
  const { program, trx } = firstOf(contexts);
  await sendNotifications(program, trx, ...contexts.flatMap(assignmentEvents));
};

notifyAssigned.isIdle = (context) => assignmentEvents(context).length === 0;

function assignmentEvents({ actor, definition, previousRow, values }: HookContext): NotificationEvent[] {
  const record = { ...previousRow, ...values };
  const assignee = record.assigned_to;
  if (typeof assignee !== 'number' || assignee === previousRow?.assigned_to || assignee === actor.id) return [];
  return [
    {
      occasion: assignmentOccasions[definition.name as keyof typeof assignmentOccasions],
      company: companyOf(record),
      recipients: [assignee],
      audience: record.project_id as number,
      link: `/${definition.name}/${record.id}`,
      actor: actor.id,
      values: { title: String(record.name) },
    },
  ];
}
