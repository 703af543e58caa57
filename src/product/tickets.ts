import { sql } from 'kysely';
import type { Hook } from '../server/program';

/** beforeSave: a ticket belongs to the user who creates it. */
export const fillSender: Hook = async ({ trx, actor, previousRow }) => {
  if (previousRow) return {};
  const { rows } = await sql<{ first_name: string; last_name: string; email: string }>`
    select first_name, last_name, email from public.users where id = ${actor.id}`.execute(trx);
  const [sender] = rows;
  return { name: [sender?.first_name, sender?.last_name].filter(Boolean).join(' '), email: sender?.email };
};
