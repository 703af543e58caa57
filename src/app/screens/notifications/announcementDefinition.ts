import { normalise } from '../../../engine/normalise/normalise';

/** The form of an announcement, as a definition so that it is rendered and validated like those of records. */
export const announcementDefinition = normalise({
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
      help: 'Leave both empty to notify everybody.',
    },
  },
  form: {
    sections: [
      { label: 'Message', description: 'What you want to announce.', fields: ['title', 'content'] },
      { label: 'Recipients', description: 'Who gets it.', fields: ['role_ids', 'user_ids'] },
    ],
  },
  toasts: { created: 'Announcement sent' },
});
