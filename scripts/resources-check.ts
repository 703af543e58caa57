import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { product } from '../src/product';
import { readDefinitionFolders, systemFolder } from '../src/server/definitions/folder';
import { systemHooks } from '../src/server/system-hooks';
import { checkDefinitions } from './check-definitions';
import { CommandError } from './resources-client';
import { readPermissions, unknownModules } from './resources-permissions';
import { folderOptions, resourcesFolder } from './resources-folder';

// Reports every problem in the definitions of a folder (default: resources/), as file:line path message.

const { positionals, values } = parseArgs({ allowPositionals: true, options: folderOptions });
const folder = resourcesFolder(positionals[0], values.product);

if (!existsSync(folder)) {
  console.error(`There is no folder ${folder}.`);
  process.exit(1);
}

const folders = { system: systemFolder, product: folder };
const files = readDefinitionFolders(folders);
// A product of JSON alone has the hooks of the system only.
const isOwn = values.product === undefined && process.env.ASSAY_PRODUCT === undefined;
const hooks = Object.keys({ ...systemHooks, ...(isOwn && product.hooks) });
const { names, problems } = checkDefinitions(files, folders, hooks);
const all = [...problems, ...checkPermissions()];

for (const line of all) console.log(line);
console.log(`${files.definitions.length} definitions, ${all.length === 1 ? '1 fault' : `${all.length} faults`}.`);
process.exitCode = all.length > 0 ? 1 : 0;

/** The problems of the file of permissions; which roles there are, only an installation knows. */
function checkPermissions(): string[] {
  try {
    const file = readPermissions(folder);
    return file ? unknownModules(file, names) : [];
  } catch (error) {
    if (error instanceof CommandError) return [error.message];
    throw error;
  }
}
