import type { Actor } from '../../engine/access/actor';
import { describeCall } from '../routing/call-description';
import { idempotencyHeader } from '../idempotency/header';
import { dataSchema, idSchema, arraySchema, objectSchema, stringSchema, integerSchema } from '../routing/schemas';

const tag = 'Notifications';
const shownTo = (actor: Actor) => canAnnounce(actor);
const ids = arraySchema(idSchema);

/** Only levels 1 and 2 make announcements. */
export function canAnnounce({ level }: Actor): boolean {
  return level <= 2;
}

/** How the calls of announcements describe themselves. */
export const announcementCalls = {
  announce: describeCall({
    id: 'create-announcement',
    tag,
    summary: 'Send an announcement to some users, or to all if none are named',
    shownTo,
    headers: idempotencyHeader,
    body: {
      ...objectSchema(
        {
          title: { ...stringSchema, maxLength: 200 },
          content: { ...stringSchema, maxLength: 5000 },
          role_ids: ids,
          user_ids: ids,
        },
        ['title', 'content'],
      ),
      additionalProperties: false,
    },
    created: true,
    answer: dataSchema(objectSchema({ title: stringSchema, content: stringSchema, recipients: integerSchema })),
  }),
  choices: describeCall({
    id: 'choices-announcement',
    tag,
    summary: 'List the users or roles that can receive an announcement',
    shownTo,
    query: { q: 'Part of a name.', id: 'Ids with commas between them.' },
    answer: { $ref: '#/components/schemas/Choices' },
  }),
};
