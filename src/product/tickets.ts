import type { Hook } from '../server/program';

/** beforeSave: a ticket belongs to the user who creates it. */
export const fillSender: Hook = async ({ trx, actor, before }) => {
  if (before) return {};
  const sender = await trx
    .selectFrom('users')
    .select(['first_name', 'last_name', 'email'])
    .where('id', '=', actor.id)
    .executeTakeFirst();
  return { name: [sender?.first_name, sender?.last_name].filter(Boolean).join(' '), email: sender?.email };
};
