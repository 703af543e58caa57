import { joinNames } from '../../../engine/formats/join-names';
import type { Role } from './api';
import type { PermissionChange } from './changes';
import type { MatrixModule } from './modules';

const maxNames = 3;

/** The roles that gain or lose rights by the changes: `Developer gets Projects edit; QA loses Imports list. 9 users gain rights, …` */
export function describeGains(pendingChanges: readonly PermissionChange[], modules: readonly MatrixModule[]): string {
  const roles = [...new Set(pendingChanges.map(({ role }) => role))];
  const sentences = roles.flatMap((role) => {
    const ownChanges = pendingChanges.filter((change) => change.role === role);
    return [
      ...sentence(
        role,
        'gets',
        ownChanges.filter(({ grants }) => grants),
        modules,
      ),
      ...sentence(
        role,
        'loses',
        ownChanges.filter(({ grants }) => !grants),
        modules,
      ),
    ];
  });
  return sentences.length === 0 ? '' : `${sentences.join('; ')}. ${describeUsers(pendingChanges, roles)}`;
}

function sentence(
  role: Role,
  verb: string,
  pendingChanges: readonly PermissionChange[],
  modules: readonly MatrixModule[],
): string[] {
  if (pendingChanges.length === 0) return [];
  const names = [...new Set(pendingChanges.map(({ module }) => module))].map((name) => {
    const label = modules.find((module) => module.name === name)?.label ?? name;
    const moduleActions = pendingChanges.filter(({ module }) => module === name).map(({ action }) => action);
    return `${label} ${joinNames(moduleActions)}`;
  });
  const rest = names.length - maxNames;
  return [`${role.role_name} ${verb} ${joinNames(rest > 0 ? [...names.slice(0, maxNames), `${rest} more`] : names)}`];
}

function describeUsers(pendingChanges: readonly PermissionChange[], roles: readonly Role[]): string {
  const count = (isGain: boolean) =>
    roles
      .filter((role) => pendingChanges.some((change) => change.role === role && change.grants === isGain))
      .reduce((sum, { users }) => sum + users, 0);
  const [gain, lose] = [count(true), count(false)];
  const gaining = gain === 1 ? '1 user gains rights' : `${gain === 0 ? 'No' : gain} users gain rights`;
  return `${gaining}, ${lose === 0 ? 'none lose any' : lose === 1 ? '1 loses some' : `${lose} lose some`}.`;
}
