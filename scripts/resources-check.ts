import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { iconNames } from '../src/app/icons/icons';
import { unknownRoleProblems } from '../src/engine/definitions/check-roles';
import { findSenseless } from '../src/engine/definitions/find-senseless';
import { readDefinitions } from '../src/engine/definitions/read-definitions';
import { createRegistry } from '../src/engine/definitions/registry';
import { product } from '../src/product';
import { readDefinitionFolders, systemFolder } from '../src/server/definitions/folder';
import { describeProblem } from '../src/server/definitions/definition-problem';
import { readShippedRows } from '../src/server/definitions/shipped-rows';
import { createSourceValidator } from '../src/server/definitions/source-validator';
import { systemHooks } from '../src/server/system-hooks';
import { CommandError } from './resources-client';
import { readPermissions, unknownModules } from './resources-permissions';
import { folderOptions, readResources, resourcesFolder } from './resources-folder';

// Reports every problem in the definitions of a folder (default: resources/), as file:line path message.

const { positionals, values } = parseArgs({ allowPositionals: true, options: folderOptions });
const folder = resourcesFolder(positionals[0], values.product);

if (!existsSync(folder)) {
  console.error(`There is no folder ${folder}.`);
  process.exit(1);
}

const folders = { system: systemFolder, product: folder };
const files = readDefinitionFolders(folders);
const { definitions, sources, problems } = readDefinitions(files.definitions, createSourceValidator());
const rows = readShippedRows(createRegistry(definitions), files, folders);
const all = [...problems, ...rows.faults];
const roles = rows.shipped.flatMap((one) =>
  one.definition.name === 'roles' ? one.rows.map(({ key }) => String(key)) : [],
);

// A product of JSON alone has the hooks of the system only.
const isOwn = values.product === undefined && process.env.ASSAY_PRODUCT === undefined;
const hooks = Object.keys({ ...systemHooks, ...(isOwn && product.hooks) });
const resources = problems.length === 0 ? readResources(folder) : undefined;
const senseless = definitions.flatMap((definition) =>
  [
    ...findSenseless(sources.get(definition.name)!, definition, { icons: iconNames, hooks }),
    ...unknownRoleProblems(
      sources.get(definition.name)!,
      roles,
      'A role that definitions name is shipped with them: add it to rows/roles.json, or name another one.',
    ),
  ].map(({ path, message }) => `${resources?.get(definition.name)?.at(path) ?? definition.name} ${path} ${message}`),
);
const grants = checkPermissions();
const count = all.length + senseless.length + grants.length;

for (const line of [...senseless, ...grants]) console.log(line);
for (const problem of all) console.log(describeProblem({ ...problem, file: relative('.', problem.file) }));
console.log(`${files.definitions.length} definitions, ${count === 1 ? '1 fault' : `${count} faults`}.`);
process.exitCode = count > 0 ? 1 : 0;

/** The problems of the file of permissions; which roles there are, only an installation knows. */
function checkPermissions(): string[] {
  try {
    const file = readPermissions(folder);
    return file
      ? unknownModules(
          file,
          definitions.map(({ name }) => name),
        )
      : [];
  } catch (error) {
    if (error instanceof CommandError) return [error.message];
    throw error;
  }
}
