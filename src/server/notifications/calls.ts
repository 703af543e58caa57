import { described } from '../http/described';
import { data, flag, id, instant, listOf, object, orNull, text, whole } from '../http/schemas';

const tag = 'Notifications';
const notification = object({
  id,
  title: text,
  content: orNull(text),
  date: instant,
  isRead: flag,
  link: orNull(text),
});

/** The documentation of the calls of notifications. */
export const calls = {
  list: described({
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
    answer: data(listOf(notification)),
  }),
  read: described({ id: 'read-notification', tag, summary: 'One of your notifications', answer: data(notification) }),
  change: described({
    id: 'change-notification',
    tag,
    summary: 'Mark a notification as read or unread',
    body: { ...object({ isRead: flag }, ['isRead']), additionalProperties: false },
    answer: data(notification),
  }),
  readAll: described({
    id: 'read-all-notifications',
    tag,
    summary: 'Mark all your notifications as read',
    answer: data(object({ read: whole })),
  }),
};
