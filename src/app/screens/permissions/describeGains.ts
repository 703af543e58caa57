import { joinNames } from '../../../engine/formats/join-names';
import type { Role } from './api';
import type { PermissionChange } from './changes';
import type { MatrixModule } from './modules';

const maxNames = 3;

/** Who gains and who loses rights by the changes: `Developer gets Projects edit; QA loses Imports list. 9 users gain rights, …` */
export function describeGains(wishes: readonly PermissionChange[], modules: readonly MatrixModule[]): string {
  const roles = [...new Set(wishes.map(({ role }) => role))];
  const sentences = roles.flatMap((role) => {
    const own = wishes.filter((wish) => wish.role === role);
    return [
      ...sentence(
        role,
        'gets',
        own.filter(({ granted }) => granted),
        modules,
      ),
      ...sentence(
        role,
        'loses',
        own.filter(({ granted }) => !granted),
        modules,
      ),
    ];
  });
  return sentences.length === 0 ? '' : `${sentences.join('; ')}. ${describeUsers(wishes, roles)}`;
}

function sentence(
  role: Role,
  verb: string,
  wishes: readonly PermissionChange[],
  modules: readonly MatrixModule[],
): string[] {
  if (wishes.length === 0) return [];
  const names = [...new Set(wishes.map(({ module }) => module))].map((name) => {
    const label = modules.find((module) => module.name === name)?.label ?? name;
    const own = wishes.filter(({ module }) => module === name).map(({ action }) => action);
    return `${label} ${joinNames(own)}`;
  });
  const rest = names.length - maxNames;
  return [`${role.role_name} ${verb} ${joinNames(rest > 0 ? [...names.slice(0, maxNames), `${rest} more`] : names)}`];
}

function describeUsers(wishes: readonly PermissionChange[], roles: readonly Role[]): string {
  const count = (granted: boolean) =>
    roles
      .filter((role) => wishes.some((wish) => wish.role === role && wish.granted === granted))
      .reduce((sum, { users }) => sum + users, 0);
  const [gain, lose] = [count(true), count(false)];
  const gaining = gain === 1 ? '1 user gains rights' : `${gain === 0 ? 'No' : gain} users gain rights`;
  return `${gaining}, ${lose === 0 ? 'none lose any' : lose === 1 ? '1 loses some' : `${lose} lose some`}.`;
}
