import { useMemo } from 'react';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import { DefinitionsContext, useDefinitions } from '../../data/DefinitionsContext';
import { FormScreen } from '../../record/FormScreen';
import { fetchApi } from '../../session/api';
import { announcementDefinition } from './announcementDefinition';

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
