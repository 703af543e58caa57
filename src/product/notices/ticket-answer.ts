import type { Hook } from '../../server/program';
import { mailThoseWhoWant } from '../../server/notifications/chosen-channels';
import { sendNotifications } from '../../server/notifications/send-notifications';
import { idOf, companyOf } from '../../engine/definitions/accessors';

/** afterSave of tickets: notifies the author of a new or changed answer, in the application and by mail. */
export const notifyAnswered: Hook = async ({ program, trx, actor, previousRow, values }) => {
  const { answer, created_by: raised } = { ...previousRow, ...values };
  if (typeof answer !== 'string' || answer === '' || answer === previousRow?.answer || raised === actor.id) return;
  const link = `/support-tickets/${idOf(values)}`;
  const notifiedUsers = await sendNotifications(program, trx, {
    occasion: 'ticket_answered',
    company: companyOf(values),
    recipients: [raised as number | null],
    link,
    actor: actor.id,
    values: { text: answer, title: String(values.description ?? '') },
  });
  await mailThoseWhoWant(program, trx, 'ticket_answered', { users: notifiedUsers, path: link });
};
