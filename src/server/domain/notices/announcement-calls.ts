import type { Actor } from '../../../engine/access/actor';
import { described } from '../../http/described';
import { idempotencyHeader } from '../../idempotency/header';
import { data, id, listOf, object, text, whole } from '../../http/schemas';

const tag = 'Notifications';
const shownTo = (actor: Actor) => mayAnnounce(actor);
const ids = listOf(id);

/** Only levels 1 and 2 make announcements. */
export function mayAnnounce({ level }: Actor): boolean {
  return level <= 2;
}

/** How the calls of announcements describe themselves. */
export const calls = {
  announce: described({
    id: 'create-announcement',
    tag,
    summary: 'Send an announcement to some users, or to all if none are named',
    shownTo,
    headers: idempotencyHeader,
    body: {
      ...object(
        { title: { ...text, maxLength: 200 }, content: { ...text, maxLength: 5000 }, role_ids: ids, user_ids: ids },
        ['title', 'content'],
      ),
      additionalProperties: false,
    },
    created: true,
    answer: data(object({ title: text, content: text, recipients: whole })),
  }),
  choices: described({
    id: 'choices-announcement',
    tag,
    summary: 'List the users or roles that can receive an announcement',
    shownTo,
    query: { q: 'Part of a name.', id: 'Ids with commas between them.' },
    answer: { $ref: '#/components/schemas/Choices' },
  }),
};
