import { normalise } from '../../src/engine/definitions/normalise';

/** The form of an announcement, drawn and checked as those of records are. */
export const announcement = normalise({
  name: 'notifications',
  labels: { one: 'Announcement', many: 'Notifications' },
  titles: { create: 'New Announcement' },
  scope: 'self',
  recordTitle: '{title}',
  fields: {
    title: { type: 'text', required: true, maxLength: 200, width: 'full' },
    content: { type: 'textarea', required: true, maxLength: 5000, lines: 6, width: 'full' },
    role_ids: { type: 'relations', to: 'roles', label: 'Roles', width: 'full' },
    user_ids: {
      type: 'relations',
      to: 'users',
      label: 'Users',
      width: 'full',
      help: 'Without roles and users everybody is told.',
    },
  },
  form: {
    sections: [
      { label: 'Announcement', description: 'What is to be known.', fields: ['title', 'content'] },
      { label: 'Readers', description: 'Who is to know it.', fields: ['role_ids', 'user_ids'] },
    ],
  },
  toasts: { created: 'Announcement sent' },
});
