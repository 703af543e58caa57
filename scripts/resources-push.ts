import { parseArgs } from 'node:util';
import type { Module, ModulePlan } from '../src/engine/studio/module';
import { diffDefinitions } from '../src/engine/studio/diff-definitions';
import { joinPointer } from '../src/engine/definitions/problems';
import { UnknownOutcomeError, openApiClient, CommandError, type ApiClient, type RoleGrants } from './resources-client';
import {
  describeGrantChange,
  grantChanges,
  grantsAfter,
  matrixOf,
  permissionsName,
  readBaseMatrix,
  readPermissions,
  roleKey,
  undoneChanges,
  unknownModules,
  unknownRoles,
  writeBaseMatrix,
  type GrantChange,
  type PermissionMatrix,
  type PermissionsFile,
} from './resources-permissions';
import {
  folderOptions,
  readBaseVersions,
  readResources,
  resourcesFolder,
  runCommand,
  isSameDefinition,
  writeBaseVersions,
  type ResourceFile,
} from './resources-folder';

// Publishes the definitions of files (default: resources/) that differ from those in force in a running Assay, and grants
// what its file of permissions says.

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    ...folderOptions,
    'dry-run': { type: 'boolean' },
    confirm: { type: 'boolean' },
    overwrite: { type: 'boolean' },
  },
});
const [folderArgument, ...names] = positionals;
const folder = resourcesFolder(folderArgument, options.product);

/** A file that differs from the active definition. */
interface Draft {
  readonly name: string;
  readonly file: ResourceFile;
  readonly module: Module | undefined;
}

await runCommand(async () => {
  const files = readResources(folder);
  const permissions = names.length === 0 || names.includes(permissionsName) ? readPermissions(folder) : undefined;
  for (const name of names)
    if (name !== permissionsName && !files.has(name))
      throw new CommandError(`There is no file ${name}.json in ${folder}.`);
  const assay = await openApiClient(process.env);
  try {
    const modules = await assay.modules();
    const drafts = draftsOf(files, modules);
    keepBases(assay, files, modules);
    const grants = permissions && (await plannedGrants(assay, permissions, drafts, modules));
    if (grants === 'refused') return false;
    if (drafts.length === 0 && !grants) {
      console.log('Nothing to push: everything is in force as the files say.');
      return true;
    }
    if (drafts.length > 0 && !(await push(assay, drafts))) return false;
    return !permissions || !grants || (await grantAll(assay, permissions));
  } finally {
    await assay.leave();
  }
});

function draftsOf(files: ReadonlyMap<string, ResourceFile>, modules: readonly Module[]): Draft[] {
  return [...files].flatMap(([name, file]): Draft[] => {
    if (names.length > 0 && !names.includes(name)) return [];
    const module = modules.find((candidate) => candidate.name === name);
    if (module && !module.retired && isSameDefinition(module.definition, file.source)) return [];
    return [{ name, file, module }];
  });
}

/**
 * Tells what the file of permissions changes; undefined if it is nothing. Refused if it names what the installation does not
 * have, or would undo what somebody granted after it was pulled.
 */
async function plannedGrants(
  assay: ApiClient,
  permissions: PermissionsFile,
  drafts: readonly Draft[],
  modules: readonly Module[],
): Promise<readonly GrantChange[] | 'refused' | undefined> {
  const roles = await assay.roles();
  const newModules = drafts.filter(({ module }) => !module || module.retired).map(({ name }) => name);
  const faults = [
    ...unknownRoles(permissions, roles, assay.url),
    ...unknownModules(permissions, [...(await assay.grantableModules()), ...newModules]),
  ];
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) return 'refused';
  // The default grants of a new module are decided when it is published.
  const changes = grantChanges(permissions.matrix, roles);
  const certainChanges = changes.filter(({ module }) =>
    modules.some(({ name, retired }) => name === module && !retired),
  );
  if (changes.length === 0) {
    keepBaseMatrix(assay, roles, permissions);
    return undefined;
  }
  if (certainChanges.length > 0) console.log('permissions:');
  for (const change of certainChanges) console.log(`  - ${describeGrantChange(change)}`);
  if (changes.length > certainChanges.length)
    console.log('permissions: those of new modules follow once they are there.');
  const undoneGrants = undoneChanges(certainChanges, roles, readBaseMatrix(folder, assay.url));
  if (undoneGrants.length > 0 && !options.overwrite) {
    for (const { role, module } of undoneGrants)
      console.error(
        `${permissions.locationOf(joinPointer('', role, module))} ${role} was changed there for ${module}.`,
      );
    console.error(
      'Somebody changed these permissions after the file was pulled. Pull first, or push with --overwrite.',
    );
    return 'refused';
  }
  if (options['dry-run'] && drafts.length === 0) console.log('Nothing was granted: this was a dry run.');
  return changes;
}

/** Grants what the file says, all roles at once, compared with what they grant by now. */
async function grantAll(assay: ApiClient, permissions: PermissionsFile): Promise<boolean> {
  if (options['dry-run']) return true;
  const roles = await assay.roles();
  const changes = grantChanges(permissions.matrix, roles);
  const changedRoles = roles.filter((role) => changes.some((change) => change.role === roleKey(role)));
  if (changedRoles.length > 0)
    await assay.grant(
      changedRoles.map((role) => ({
        role_id: role.role_id,
        modulePermission: grantsAfter(role, changes),
        before: role.modulePermission,
      })),
    );
  writeBaseMatrix(folder, assay.url, matrixOf(await assay.roles(), await assay.grantableModules()));
  for (const role of changedRoles) console.log(`Changed the permissions of ${roleKey(role)}.`);
  return true;
}

/** A file that says what is granted is based on it, whoever granted it. */
function keepBaseMatrix({ url }: ApiClient, roles: readonly RoleGrants[], { matrix }: PermissionsFile): void {
  const base = readBaseMatrix(folder, url);
  if (base && undoneChanges(sameCells(matrix), roles, base).length === 0) return;
  writeBaseMatrix(folder, url, { ...base, ...matrix });
}

/** The cells of a matrix that is in force, as changes that change nothing. */
function sameCells(matrix: PermissionMatrix): GrantChange[] {
  return Object.entries(matrix).flatMap(([role, modules]) =>
    Object.entries(modules).map(([module, cellActions]) => ({
      role,
      module,
      oldActions: cellActions,
      newActions: cellActions,
    })),
  );
}

/** A file that equals the active definition is based on that version, whoever published it. */
function keepBases({ url }: ApiClient, files: ReadonlyMap<string, ResourceFile>, modules: readonly Module[]): void {
  const sameModules = modules.filter(({ name, definition, retired }) => {
    const file = files.get(name);
    return file !== undefined && !retired && isSameDefinition(definition, file.source);
  });
  const bases = readBaseVersions(folder)[url] ?? {};
  const newBases = sameModules.filter(({ name, version }) => name in bases && bases[name] !== version);
  if (newBases.length > 0)
    writeBaseVersions(folder, url, Object.fromEntries(newBases.map(({ name, version }) => [name, version])));
}

/**
 * Nothing is published before everything was checked; files that depend on each other are published in a working order.
 */
async function push(assay: ApiClient, drafts: readonly Draft[]): Promise<boolean> {
  const first = await planAll(assay, drafts);
  for (const { draft, plan } of first.soundPlans) tell(draft, plan);
  const overwriting = await newerThan(assay, drafts);
  const losing = first.soundPlans.filter(({ plan }) => plan.steps.some(({ destructive }) => destructive));
  const isStuck = first.soundPlans.length === 0;
  if (isStuck) tellFaults(first.faulty);
  else for (const { draft } of first.faulty) console.log(`${draft.name}: planned once the others are there.`);
  if (overwriting.length > 0 && !options.overwrite) {
    console.error('Somebody published after these files were pulled. Pull first, or push with --overwrite.');
    return false;
  }
  if (losing.length > 0 && !options.confirm) {
    console.error('Stored values may be lost. Look at the plan above, and push with --confirm.');
    return false;
  }
  if (isStuck) return false;
  if (options['dry-run']) {
    console.log('Nothing was published: this was a dry run.');
    return true;
  }
  return publishAll(assay, drafts);
}

async function publishAll(assay: ApiClient, drafts: readonly Draft[]): Promise<boolean> {
  let left = drafts;
  while (left.length > 0) {
    const { soundPlans, faulty } = await planAll(assay, left);
    if (soundPlans.length === 0) {
      tellFaults(faulty);
      console.error(`${drafts.length - left.length} published; these and what depends on them were not.`);
      return false;
    }
    // One at a time: the plan of the next depends on it.
    const [{ draft }] = soundPlans as [Planned];
    const isNew = !draft.module || draft.module.retired;
    const module = await assay
      .publish(draft.file.source, isNew ? undefined : draft.module!.version, options.confirm ?? false)
      .catch((error: unknown) => {
        throw stopAt(draft.name, drafts.length - left.length, error);
      });
    writeBaseVersions(folder, assay.url, { [draft.name]: module.version });
    console.log(`Published ${draft.name}, version ${module.version}.`);
    left = left.filter((candidate) => candidate !== draft);
  }
  return true;
}

/** The state of the push when publishing one of the modules failed. */
function stopAt(name: string, publishedCount: number, error: unknown): unknown {
  if (!(error instanceof CommandError)) return error;
  const note =
    publishedCount === 0 ? '' : ` ${publishedCount} ${publishedCount === 1 ? 'was' : 'were'} published before it.`;
  const outcome =
    error instanceof UnknownOutcomeError
      ? ` Whether ${name} was published is not known: push again; what is in force already is left alone.`
      : '';
  return new CommandError(`${name}: ${error.message}${outcome}${note}`);
}

interface Planned {
  readonly draft: Draft;
  readonly plan: ModulePlan;
}

async function planAll(
  assay: ApiClient,
  drafts: readonly Draft[],
): Promise<{ soundPlans: Planned[]; faulty: Planned[] }> {
  const allPlans: Planned[] = [];
  for (const draft of drafts) allPlans.push({ draft, plan: await assay.plan(draft.name, draft.file.source) });
  return { soundPlans: allPlans.filter(({ plan }) => plan.valid), faulty: allPlans.filter(({ plan }) => !plan.valid) };
}

function tell({ name, module }: Draft, { steps }: ModulePlan): void {
  console.log(`${name}: ${module && !module.retired ? `version ${module.version} changes` : 'new'}`);
  for (const { text, destructive } of steps) console.log(`  ${destructive ? '! ' : '- '}${text}`);
  if (steps.length === 0) console.log('  - Nothing changes but the order.');
}

function tellFaults(faulty: readonly Planned[]): void {
  for (const { draft, plan } of faulty) {
    for (const { path, message, module } of plan.errors) {
      const location =
        module === undefined
          ? `${draft.file.locationOf(path)} ${path}`
          : `${draft.file.locationOf('')} (${module} ${path})`;
      console.error(`${location} ${message}`);
    }
  }
}

/** The modules published after the file's base version, with what the push would revert. */
async function newerThan(assay: ApiClient, drafts: readonly Draft[]): Promise<Draft[]> {
  const bases = readBaseVersions(folder)[assay.url] ?? {};
  const newer: Draft[] = [];
  for (const draft of drafts) {
    const { name, module, file } = draft;
    if (!module || module.retired || bases[name] === module.version) continue;
    const laterVersions = (await assay.versions(name)).filter(
      ({ version, user }) => user !== null && version > (bases[name] ?? 0),
    );
    const [latest] = laterVersions;
    if (!latest) continue;
    newer.push(draft);
    const publishTime = `${latest.created_at.slice(0, 16).replace('T', ' ')} UTC`;
    console.log(
      `${name}: ${latest.user!.name} published version ${latest.version} on ${publishTime}; the file was not made from it. This would be overwritten:`,
    );
    for (const { kind, subject, text } of diffDefinitions(file.source, module.definition)) {
      console.log(`  - ${subject} ${text || kind}`);
    }
  }
  return newer;
}
