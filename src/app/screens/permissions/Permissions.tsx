import { useDefinitions } from '../../data/DefinitionsContext';
import { usePage } from '../../layout/page';
import { FailedState } from '../../states/FailedState';
import { SkeletonRows } from '../../states/SkeletonRows';
import { usePermissionModules, useRoles, type Role, matrixModules, studioModule, type MatrixModule } from './api';
import { useMemo } from 'react';
import { PermissionsScreen } from './PermissionsScreen';

const title = 'Permissions';

/** The permissions: roles by modules by actions. */
export default function Permissions() {
  const { registry } = useDefinitions();
  const roles = useRoles();
  const permissions = usePermissionModules();
  const modules = useMemo(
    () => permissions.data && matrixModules(permissions.data, registry),
    [permissions.data, registry],
  );
  usePage({ title, note: roles.data && modules && counts(roles.data, modules), flat: true });

  const error = roles.error ?? permissions.error;
  const retry = () => Promise.all([roles.refetch(), permissions.refetch()]);
  if (roles.data && modules) return <PermissionsScreen roles={roles.data} modules={modules} reload={roles.refetch} />;
  if (!error) return <SkeletonRows />;
  return <FailedState title={`${title} could not be loaded`} message={error.message} onRetry={() => void retry()} />;
}

/** The studio is a row of the matrix, but not a module that can be granted: it is not counted. */
function counts(roles: readonly Role[], modules: readonly MatrixModule[]): string {
  const number = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  return `${number(roles.length, 'role')}, ${number(modules.filter((module) => module !== studioModule).length, 'module')}`;
}
