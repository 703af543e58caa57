import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { actions, type Action } from '../src/engine/definitions/definition';
import { JsonError, parseJson } from '../src/engine/check/parse-json';
import { closestName, joinPointer } from '../src/engine/definitions/problems';
import { closestPath } from '../src/engine/check/read-definitions';
import { formatJson } from '../src/engine/studio/format-source';
import { CommandError, type RoleGrants } from './resources-client';

/** The grants of roles: by the key of a role and by module, the actions in their usual order. */
export type PermissionMatrix = Readonly<Record<string, Readonly<Record<string, readonly Action[]>>>>;

/** A cell of the matrix that a push would change. */
export interface GrantChange {
  readonly role: string;
  readonly module: string;
  readonly oldActions: readonly Action[];
  readonly newActions: readonly Action[];
}

/** The name under which the commands take the permissions, beside names of modules: no module can be called so. */
export const permissionsName = 'permissions';

const fileIn = (folder: string) => join(folder, 'permissions', 'roles.json');
const baseIn = (folder: string) => join(folder, 'permissions', '.base');

/** The key of a role in files, which is the same in every installation. */
export function roleKey({ role_name }: Pick<RoleGrants, 'role_name'>): string {
  return role_name;
}

/** The file of permissions of a folder. */
export interface PermissionsFile {
  readonly file: string;
  readonly matrix: PermissionMatrix;
  /** `resources/permissions/roles.json:12`, for a place in it. */
  locationOf(path: string): string;
}

/** The file of permissions; undefined if there is none. Throws CommandError at the line that is wrong. */
export function readPermissions(folder: string): PermissionsFile | undefined {
  const file = fileIn(folder);
  if (!existsSync(file)) return undefined;
  const name = relative('.', file);
  try {
    const { value, lines } = parseJson(readFileSync(file, 'utf8'));
    const locationOf = (path: string) => `${name}:${lines.get(closestPath(path, lines)) ?? 1}`;
    const [problem] = shapeProblems(value);
    if (problem) throw new CommandError(`${locationOf(problem.path)} ${problem.path} ${problem.message}`);
    return { file, matrix: value as PermissionMatrix, locationOf };
  } catch (error) {
    if (error instanceof JsonError) throw new CommandError(`${name}:${error.line} ${error.message}`);
    throw error;
  }
}

interface Problem {
  readonly path: string;
  readonly message: string;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The parts of a file that are no matrix of permissions. */
function shapeProblems(value: unknown): Problem[] {
  if (!isObject(value))
    return [
      {
        path: '',
        message: 'The file must be an object: role → module → list of actions, such as {"QA": {"tasks": ["list"]}}.',
      },
    ];
  return Object.entries(value).flatMap(([role, modules]): Problem[] => {
    const path = joinPointer('', role);
    if (!isObject(modules))
      return [{ path, message: 'A role must be an object: module → list of actions, such as {"tasks": ["list"]}.' }];
    return Object.entries(modules).flatMap(([module, grantedActions]) =>
      actionProblems(joinPointer(path, module), grantedActions),
    );
  });
}

function actionProblems(path: string, grantedActions: unknown): Problem[] {
  if (!Array.isArray(grantedActions))
    return [{ path, message: `This must be a list of actions: ${actions.join(', ')}; [] grants nothing.` }];
  return grantedActions.flatMap((action: unknown, index): Problem[] => {
    if (actions.some((candidate) => candidate === action)) return [];
    const guess = closestName(String(action), actions);
    const message = `Unknown action ${JSON.stringify(action)}. ${guess ? `Did you mean "${guess}"?` : `Actions are ${actions.join(', ')}.`}`;
    return [{ path: joinPointer(path, String(index)), message }];
  });
}

/** The modules of a file that are none of these, each with its place and a remedy. */
export function unknownModules({ matrix, locationOf }: PermissionsFile, moduleNames: Iterable<string>): string[] {
  const names = new Set(moduleNames);
  return Object.entries(matrix).flatMap(([role, modules]) =>
    Object.keys(modules)
      .filter((module) => !names.has(module))
      .map((module) => {
        const path = joinPointer('', role, module);
        const guess = closestName(module, names);
        const remedy = guess ? `Did you mean "${guess}"?` : 'Add its definition, or remove it here.';
        return `${locationOf(path)} ${path} Unknown module "${module}". ${remedy}`;
      }),
  );
}

/** The roles of a file that an installation does not have, or whose permissions nobody can change, each with a remedy. */
export function unknownRoles(
  { matrix, locationOf }: PermissionsFile,
  roles: readonly RoleGrants[],
  url: string,
): string[] {
  const keys = roles.map(roleKey);
  return Object.keys(matrix).flatMap((role) => {
    const path = joinPointer('', role);
    const matchingRoles = roles.filter((candidate) => roleKey(candidate) === role);
    if (matchingRoles.length > 1)
      return [
        `${locationOf(path)} ${path} There are ${matchingRoles.length} roles "${role}" at ${url}. Rename all but one there.`,
      ];
    if (matchingRoles[0]?.fixed) return [`${locationOf(path)} ${path} ${matchingRoles[0].fixed} Remove the role here.`];
    if (matchingRoles.length === 1) return [];
    const guess = closestName(role, keys);
    const remedy = guess ? `Did you mean "${guess}"?` : 'Create it there, or remove it here.';
    return [`${locationOf(path)} ${path} There is no role "${role}" at ${url}. ${remedy}`];
  });
}

/** The matrix of an installation: of its roles that can be changed, all modules that can be granted. */
export function matrixOf(roles: readonly RoleGrants[], modules: readonly string[]): PermissionMatrix {
  return Object.fromEntries(
    roles
      .filter(({ fixed: fixedReason }) => fixedReason === null)
      .map((role) => [roleKey(role), Object.fromEntries(modules.map((module) => [module, actionsOf(role, module)]))]),
  );
}

function actionsOf({ modulePermission }: RoleGrants, module: string): Action[] {
  const permissions = new Set(modulePermission);
  return actions.filter((action) => permissions.has(`${module}.${action}`));
}

/** The changes of a file to an installation, cell by cell. Cells that it does not name stay as they are. */
export function grantChanges(matrix: PermissionMatrix, roles: readonly RoleGrants[]): GrantChange[] {
  return Object.entries(matrix).flatMap(([key, modules]) => {
    const role = roles.find((candidate) => roleKey(candidate) === key);
    return Object.entries(modules).flatMap(([module, fileActions]): GrantChange[] => {
      const oldActions = role ? actionsOf(role, module) : [];
      const newActions = actions.filter((action) => fileActions.includes(action));
      return oldActions.join() === newActions.join() ? [] : [{ role: key, module, oldActions, newActions }];
    });
  });
}

/** The changes that would undo what somebody granted or revoked after the file was pulled. */
export function undoneChanges(
  changes: readonly GrantChange[],
  roles: readonly RoleGrants[],
  base: PermissionMatrix | undefined,
): GrantChange[] {
  return changes.filter(({ role, module, oldActions }) => {
    const baseActions = base?.[role]?.[module];
    if (baseActions) return baseActions.join() !== oldActions.join();
    // Without a base, what no user ever changed is as it was shipped.
    return roles.find((candidate) => roleKey(candidate) === role)?.updated_by !== null;
  });
}

/** A change in words: `QA, tasks: + delete, - edit`. */
export function describeGrantChange({ role, module, oldActions, newActions }: GrantChange): string {
  const addedActions = newActions.filter((action) => !oldActions.includes(action)).map((action) => `+ ${action}`);
  const removedActions = oldActions.filter((action) => !newActions.includes(action)).map((action) => `- ${action}`);
  return `${role}, ${module}: ${[...addedActions, ...removedActions].join(', ')}`;
}

/** The grants of a role after the changes, as the API takes them. */
export function grantsAfter(role: RoleGrants, changes: readonly GrantChange[]): string[] {
  const roleChanges = changes.filter((change) => change.role === roleKey(role));
  const otherPermissions = role.modulePermission.filter(
    (id) => !roleChanges.some(({ module }) => id.slice(0, id.lastIndexOf('.')) === module),
  );
  return [
    ...otherPermissions,
    ...roleChanges.flatMap(({ module, newActions }) => newActions.map((action) => `${module}.${action}`)),
  ];
}

/** Writes the file of permissions; undefined if it is the same already. */
export function writePermissions(folder: string, matrix: PermissionMatrix): string | undefined {
  const file = fileIn(folder);
  const text = `${formatJson(matrix)}\n`;
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return undefined;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return relative('.', file);
}

/** The grants of an installation when the file was last the same; undefined if it never was. */
export function readBaseMatrix(folder: string, url: string): PermissionMatrix | undefined {
  return readBases(folder)[url];
}

/** Stores what an installation grants now as what the file is based on. */
export function writeBaseMatrix(folder: string, url: string, matrix: PermissionMatrix): void {
  mkdirSync(dirname(baseIn(folder)), { recursive: true });
  writeFileSync(baseIn(folder), `${formatJson({ ...readBases(folder), [url]: matrix })}\n`);
}

function readBases(folder: string): Record<string, PermissionMatrix> {
  const file = baseIn(folder);
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, PermissionMatrix>;
  } catch {
    throw new CommandError(`${relative('.', file)}:1 This is not valid JSON. Delete it, or restore its content.`);
  }
}
