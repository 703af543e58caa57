import { Type } from 'typebox';
import { closedObject, dataOf, dateTime, defineCall, idParams, nullable } from '../routing/define-call';

const tag = 'Notifications';
const notification = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  title: Type.String(),
  content: nullable(Type.String()),
  date: dateTime,
  isRead: Type.Boolean(),
  link: nullable(Type.String()),
});
const text = (description: string) => Type.Optional(Type.String({ description }));

/** The calls of notifications. */
export const notificationCalls = {
  list: defineCall({
    id: 'list-notifications',
    scope: 'person',
    tag,
    summary: 'Your notifications',
    querystring: Type.Object(
      {
        q: text('Part of the title or the content, case-insensitive.'),
        isRead: text('true or false.'),
        occasion: text('What they were sent for: the identifier of their template, such as record_mentioned.'),
        sort_by: text('id, title, date or isRead; with a minus sign in front, descending.'),
        range: text('First and last position, as in [0,4].'),
        sort: text('Field and direction, as in ["date","DESC"].'),
        filter: text('An object, as in {"isRead":false}.'),
      },
      closedObject,
    ),
    answer: dataOf(Type.Array(notification)),
  }),
  read: defineCall({
    id: 'read-notification',
    scope: 'person',
    tag,
    summary: 'One of your notifications',
    params: idParams,
    answer: dataOf(notification),
  }),
  change: defineCall({
    id: 'change-notification',
    scope: 'person',
    tag,
    summary: 'Mark a notification as read or unread',
    params: idParams,
    body: Type.Object({ isRead: Type.Boolean() }, closedObject),
    answer: dataOf(notification),
  }),
  readAll: defineCall({
    id: 'read-all-notifications',
    scope: 'person',
    tag,
    summary: 'Mark all your notifications as read',
    answer: dataOf(Type.Object({ read: Type.Integer() })),
  }),
};
