import { parseArgs } from 'node:util';
import type { Module, ModulePlan } from '../src/engine/studio/module';
import { diffDefinitions } from '../src/engine/studio/diff-definitions';
import { UnknownOutcomeError, openApiClient, CommandError, type ApiClient } from './resources-client';
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

// Publishes the definitions of files (default: resources/) that differ from those in force in a running Assay.

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    ...folderOptions,
    'dry-run': { type: 'boolean' },
    confirm: { type: 'boolean' },
    overwrite: { type: 'boolean' },
  },
});
const [given, ...names] = positionals;
const folder = resourcesFolder(given, options.product);

/** A file that differs from the active definition. */
interface Draft {
  readonly name: string;
  readonly file: ResourceFile;
  readonly module: Module | undefined;
}

await runCommand(async () => {
  const files = readResources(folder);
  for (const name of names) if (!files.has(name)) throw new CommandError(`There is no file ${name}.json in ${folder}.`);
  const assay = await openApiClient(process.env);
  try {
    const modules = await assay.modules();
    const drafts = draftsOf(files, modules);
    keepBases(assay, files, modules);
    if (drafts.length === 0) console.log('Nothing to push: everything is in force as the files say.');
    return drafts.length === 0 || (await push(assay, drafts));
  } finally {
    await assay.leave();
  }
});

function draftsOf(files: ReadonlyMap<string, ResourceFile>, modules: readonly Module[]): Draft[] {
  return [...files].flatMap(([name, file]): Draft[] => {
    if (names.length > 0 && !names.includes(name)) return [];
    const module = modules.find((one) => one.name === name);
    if (module && !module.retired && isSameDefinition(module.definition, file.source)) return [];
    return [{ name, file, module }];
  });
}

/** A file that equals the active definition is based on that version, whoever published it. */
function keepBases({ url }: ApiClient, files: ReadonlyMap<string, ResourceFile>, modules: readonly Module[]): void {
  const same = modules.filter(({ name, definition, retired }) => {
    const file = files.get(name);
    return file !== undefined && !retired && isSameDefinition(definition, file.source);
  });
  const bases = readBaseVersions(folder)[url] ?? {};
  const fresh = same.filter(({ name, version }) => name in bases && bases[name] !== version);
  if (fresh.length > 0)
    writeBaseVersions(folder, url, Object.fromEntries(fresh.map(({ name, version }) => [name, version])));
}

/**
 * Nothing is published before everything was checked; files that depend on each other are published in a working order.
 */
async function push(assay: ApiClient, drafts: readonly Draft[]): Promise<boolean> {
  const first = await planned(assay, drafts);
  for (const { draft, plan } of first.sound) tell(draft, plan);
  const overwriting = await newerThan(assay, drafts);
  const losing = first.sound.filter(({ plan }) => plan.steps.some(({ destructive }) => destructive));
  const isStuck = first.sound.length === 0;
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
    const { sound, faulty } = await planned(assay, left);
    if (sound.length === 0) {
      tellFaults(faulty);
      console.error(`${drafts.length - left.length} published; these and what depends on them were not.`);
      return false;
    }
    // One at a time: the plan of the next depends on it.
    const [{ draft }] = sound as [Planned];
    const isNew = !draft.module || draft.module.retired;
    const module = await assay
      .publish(draft.file.source, isNew ? undefined : draft.module!.version, options.confirm ?? false)
      .catch((error: unknown) => {
        throw stopAt(draft.name, drafts.length - left.length, error);
      });
    writeBaseVersions(folder, assay.url, { [draft.name]: module.version });
    console.log(`Published ${draft.name}, version ${module.version}.`);
    left = left.filter((one) => one !== draft);
  }
  return true;
}

/** The state of the push when publishing one of the modules failed. */
function stopAt(name: string, published: number, error: unknown): unknown {
  if (!(error instanceof CommandError)) return error;
  const before = published === 0 ? '' : ` ${published} ${published === 1 ? 'was' : 'were'} published before it.`;
  const outcome =
    error instanceof UnknownOutcomeError
      ? ` Whether ${name} was published is not known: push again; what is in force already is left alone.`
      : '';
  return new CommandError(`${name}: ${error.message}${outcome}${before}`);
}

interface Planned {
  readonly draft: Draft;
  readonly plan: ModulePlan;
}

async function planned(assay: ApiClient, drafts: readonly Draft[]): Promise<{ sound: Planned[]; faulty: Planned[] }> {
  const all: Planned[] = [];
  for (const draft of drafts) all.push({ draft, plan: await assay.plan(draft.name, draft.file.source) });
  return { sound: all.filter(({ plan }) => plan.valid), faulty: all.filter(({ plan }) => !plan.valid) };
}

function tell({ name, module }: Draft, { steps }: ModulePlan): void {
  console.log(`${name}: ${module && !module.retired ? `version ${module.version} changes` : 'new'}`);
  for (const { text, destructive } of steps) console.log(`  ${destructive ? '! ' : '- '}${text}`);
  if (steps.length === 0) console.log('  - Nothing changes but the order.');
}

function tellFaults(faulty: readonly Planned[]): void {
  for (const { draft, plan } of faulty) {
    for (const { path, message, module } of plan.errors) {
      const place =
        module === undefined ? `${draft.file.at(path)} ${path}` : `${draft.file.at('')} (${module} ${path})`;
      console.error(`${place} ${message}`);
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
    const since = (await assay.versions(name)).filter(
      ({ version, user }) => user !== null && version > (bases[name] ?? 0),
    );
    const [latest] = since;
    if (!latest) continue;
    newer.push(draft);
    const when = `${latest.created_at.slice(0, 16).replace('T', ' ')} UTC`;
    console.log(
      `${name}: ${latest.user!.name} published version ${latest.version} on ${when}; the file was not made from it. This would be overwritten:`,
    );
    for (const { kind, subject, text } of diffDefinitions(file.source, module.definition)) {
      console.log(`  - ${subject} ${text || kind}`);
    }
  }
  return newer;
}
