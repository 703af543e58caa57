import { useMemo } from 'react';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import { DefinitionsContext, useDefinitions } from '../../data/DefinitionsContext';
import { FormScreen } from '../../record/FormScreen';
import { fetchApi } from '../../session/api';
import { normalise } from '../../../engine/normalise/normalise';

/** The form of an announcement, as a definition so that it is rendered and validated like those of records. */
const announcementDefinition = normalise({
  name: 'notifications',
  labels: { one: 'Announcement', many: 'Notifications' },
  titles: { create: 'New announcement' },
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

const emptyRecord: ResourceRecord = {};

async function send(values: ResourceRecord): Promise<ResourceRecord> {
  return (await fetchApi<{ data: ResourceRecord }>('/notifications', { method: 'POST', json: values })).data;
}

/** The form of a message to roles, to people, or to everybody. For administrators and company owners. */
export default function Announcement() {
  const definitions = useDefinitions();
  const announcementDefinitions = useMemo(() => {
    const permissions = { ...definitions.actor.permissions, [announcementDefinition.name]: ['create'] as const };
    return { ...definitions, actor: { ...definitions.actor, permissions } };
  }, [definitions]);
  return (
    <DefinitionsContext value={announcementDefinitions}>
      <FormScreen definition={announcementDefinition} mode="create" record={emptyRecord} send={send} saveLabel="Send" />
    </DefinitionsContext>
  );
}
