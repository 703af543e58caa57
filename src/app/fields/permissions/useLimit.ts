import { skipToken, useQuery } from '@tanstack/react-query';
import { useDataProvider } from 'react-admin';
import { isPermissions } from '../../../engine/field-types/permissions';
import { useDefinitions } from '../../data/DefinitionsContext';
import type { InputProps } from '../fieldType';

/**
 * The permissions of the record that limits a field; undefined if there is no limit, or the user cannot read it: then
 * the server refuses what is beyond it when the form is saved.
 */
export function useLimit(limit: InputProps['limit']): ReadonlySet<string> | undefined {
  const { registry } = useDefinitions();
  const dataProvider = useDataProvider();
  const { data } = useQuery({
    queryKey: ['permissions-of', limit?.resource, limit?.id],
    queryFn: limit ? () => dataProvider.getOne(limit.resource, { id: limit.id }) : skipToken,
    retry: false,
    meta: { quiet: true },
  });
  const permissionsField = limit && Object.values(registry.get(limit.resource)?.fields ?? {}).find(isPermissions);
  const limitGrants: unknown = permissionsField && data?.data[permissionsField.name];
  return Array.isArray(limitGrants) ? new Set(limitGrants as string[]) : undefined;
}
