import { Level } from '../../engine/definitions/level';
import { Type, type Static } from 'typebox';
import type { Actor } from '../../engine/access/actor';
import { closedObject, dataOf, defineCall, filledText, id, nullable } from '../routing/define-call';
import { idempotencyHeader } from '../idempotency/header';

const announcementCall = {
  tag: 'Notifications',
  scope: 'level',
  shownTo: canAnnounce,
  refusal: 'Only administrators and company owners can make announcements.',
} as const;
const idsOf = (title: string) =>
  Type.Optional(
    nullable(Type.Array(id, { maxItems: 10_000 }), {
      title,
      errorMessage: `${title} must be a list of ids.`,
    }),
  );
const announcement = Type.Object(
  {
    title: filledText('Title', 200),
    content: filledText('Content', 5000),
    role_ids: idsOf('Roles'),
    user_ids: idsOf('Users'),
  },
  closedObject,
);

/** A message to many users: to all without roles and users. */
export type Announcement = Static<typeof announcement>;

/** Only levels 1 and 2 make announcements. */
function canAnnounce({ level }: Actor): boolean {
  return level <= Level.Owner;
}

/** The calls of announcements. */
export const announcementCalls = {
  announce: defineCall({
    ...announcementCall,
    id: 'create-announcement',
    summary: 'Send an announcement to some users, or to all if none are named',
    headers: idempotencyHeader,
    body: announcement,
    created: true,
    answer: dataOf(Type.Object({ title: Type.String(), content: Type.String(), recipients: Type.Integer() })),
  }),
  choices: defineCall({
    ...announcementCall,
    id: 'choices-announcement',
    summary: 'List the users or roles that can receive an announcement',
    params: Type.Object({ field: Type.Enum(['user_ids', 'role_ids']) }),
    querystring: Type.Object({
      q: Type.Optional(Type.String({ description: 'Part of a name.', errorMessage: 'q must be given once.' })),
      id: Type.Optional(
        Type.String({ description: 'Ids with commas between them.', errorMessage: 'id must be given once.' }),
      ),
    }),
    answer: Type.Ref('#/components/schemas/Choices'),
  }),
};
