import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { realUser } from '../../../engine/access/actor';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import { DefinitionsContext, useDefinitions } from '../../data/DefinitionsContext';
import { useMe } from '../../data/DefinitionsProvider';
import { FormSkeleton } from '../../form/FormSkeleton';
import { usePage } from '../../layout/page';
import { fetchApi } from '../../session/api';
import { FailedState } from '../../states/FailedState';
import { ProfileForm, profileDefinition } from './ProfileForm';

/** The user's profile: name, password and theme. */
export default function Profile() {
  const definitions = useDefinitions();
  const me = useMe();
  const queryClient = useQueryClient();
  const { viewer } = definitions.actor;
  const { id } = realUser(definitions.actor);
  // Users may edit their own profile, whatever their role may do with users.
  const profileDefinitions = useMemo(() => {
    const person = { ...definitions.actor, ...realUser(definitions.actor), viewer: undefined };
    const permissions = { ...person.permissions, [profileDefinition.name]: ['view', 'edit'] as const };
    return { ...definitions, actor: { ...person, permissions } };
  }, [definitions]);
  // Below the key of users: the profile reloads when a user changes.
  const key = ['users', 'profile', id];
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: async () => (await fetchApi<{ data: ResourceRecord }>(`/profile/${id}`)).data,
    retry: false,
    meta: { quiet: true },
  });
  const company = me?.user.site?.name;
  usePage({ title: 'Profile', note: [me?.role.role_name, company].filter(Boolean).join(', ') });
  if (error && !data) {
    return (
      <FailedState title="Your profile could not be loaded" message={error.message} onRetry={() => void refetch()} />
    );
  }
  if (!data) return <FormSkeleton definition={profileDefinition} />;
  return (
    <DefinitionsContext value={profileDefinitions}>
      <ProfileForm
        record={data}
        readOnly={viewer !== undefined}
        onSaved={(storedProfile) => queryClient.setQueryData(key, storedProfile)}
      />
    </DefinitionsContext>
  );
}
