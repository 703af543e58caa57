import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RaRecord } from 'react-admin';
import { describeAudience, shippedRoleNames, type RoleName } from '../../../engine/access/audience';
import type { Audience, Level } from '../../../engine/definitions/definition';
import { dataProvider } from '../../data/dataProvider';
import { MultiChoiceProperty, type Option } from '../properties/ChoiceProperty';

/** The levels with the names of their shipped roles. */
export const levelOptions: readonly Option[] = shippedRoleNames.map(({ level, name }) => ({
  value: String(level),
  label: `${level} ${name}`,
}));

/** The roles of the installation and of all companies; the shipped ones until they are loaded, or if they cannot be. */
export function useRoleNames(): readonly RoleName[] {
  const { data } = useQuery({
    queryKey: ['roles', 'studio-roles'],
    queryFn: async ({ signal }) => {
      const pagination = { page: 1, perPage: 100 };
      const sort = { field: 'id', order: 'ASC' as const };
      const page = await dataProvider.getList<RaRecord>('roles', { pagination, sort, filter: {}, signal });
      return page.data.map(({ key, role_name: name, level }) => ({
        key: String(key),
        name: String(name),
        level: Number(level) as Level,
      }));
    },
    retry: false,
    meta: { quiet: true },
  });
  return data ?? shippedRoleNames;
}

/** Roles by their keys: those of several companies with one key are one. */
export function useRoleOptions(): readonly Option[] {
  const roles = useRoleNames();
  return useMemo(() => {
    const names = new Map<string, Set<string>>();
    for (const { key, name } of roles) names.set(key, (names.get(key) ?? new Set()).add(name));
    return [...names].map(([value, roleNames]) => ({ value, label: [...roleNames].join(', ') }));
  }, [roles]);
}

/** The roles that something is for: `QA, Warehouse`. */
export function audienceText(
  { levels, roles }: Readonly<Record<string, unknown>>,
  knownRoles: readonly RoleName[],
): string {
  const audience = { ...(levels !== undefined && { levels }), ...(roles !== undefined && { roles }) } as Audience;
  return describeAudience(audience, knownRoles);
}

/** The actions of a rule as text. */
export function actionsText(action: unknown): string {
  return [action].flat().join(', ');
}

/** One value or a list of them. */
const readMany = (value: unknown) => [value ?? []].flat().map(String);
const writeLevels = (levels: string[]) => (levels.length === 0 ? undefined : levels.map(Number).sort());

/** Whom something at a place is for: roles by name, and all roles of some levels. */
export function AudienceProperty({ pointer, placeholder }: { pointer: string; placeholder: string }) {
  const roles = useRoleOptions();
  return (
    <>
      <MultiChoiceProperty
        pointer={`${pointer}/roles`}
        label="For roles"
        options={roles}
        placeholder={placeholder}
        free
      />
      <MultiChoiceProperty
        pointer={`${pointer}/levels`}
        label="For all roles of a level"
        options={levelOptions}
        placeholder={placeholder}
        read={readMany}
        write={writeLevels}
      />
    </>
  );
}
