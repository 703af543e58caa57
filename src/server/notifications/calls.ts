import { describeCall } from '../routing/call-description';
import {
  dataSchema,
  booleanSchema,
  idSchema,
  dateTimeSchema,
  arraySchema,
  objectSchema,
  nullableSchema,
  stringSchema,
  integerSchema,
} from '../routing/schemas';

const tag = 'Notifications';
const notification = objectSchema({
  id: idSchema,
  title: stringSchema,
  content: nullableSchema(stringSchema),
  date: dateTimeSchema,
  isRead: booleanSchema,
  link: nullableSchema(stringSchema),
});

/** The documentation of the calls of notifications. */
export const notificationCalls = {
  list: describeCall({
    id: 'list-notifications',
    tag,
    summary: 'Your notifications',
    query: {
      q: 'Part of the title or the content, case-insensitive.',
      isRead: 'true or false.',
      sort_by: 'id, title, date or isRead; with a minus sign in front, descending.',
      range: 'First and last position, as in [0,4].',
      sort: 'Field and direction, as in ["date","DESC"].',
      filter: 'An object, as in {"isRead":false}.',
    },
    answer: dataSchema(arraySchema(notification)),
  }),
  read: describeCall({
    id: 'read-notification',
    tag,
    summary: 'One of your notifications',
    answer: dataSchema(notification),
  }),
  change: describeCall({
    id: 'change-notification',
    tag,
    summary: 'Mark a notification as read or unread',
    body: { ...objectSchema({ isRead: booleanSchema }, ['isRead']), additionalProperties: false },
    answer: dataSchema(notification),
  }),
  readAll: describeCall({
    id: 'read-all-notifications',
    tag,
    summary: 'Mark all your notifications as read',
    answer: dataSchema(objectSchema({ read: integerSchema })),
  }),
};
