import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { registerFieldTypes } from '../src/engine/field-types';
import { product } from '../src/product';
import { readDefinitionFolders, systemFolder } from '../src/server/definitions/folder';
import type { Product, ProductCode } from '../src/server/program';
import { systemHooks } from '../src/server/system-hooks';
import { checkDefinitions } from './check-definitions';
import { loadCode } from './product-code.mjs';
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
const { hooks, fieldTypes = {} } = await readCode(values.product ?? process.env.ASSAY_PRODUCT);
registerFieldTypes(fieldTypes);
const { names, problems } = checkDefinitions(files, folders, Object.keys({ ...systemHooks, ...hooks }));
const allProblems = [...problems, ...checkPermissions()];

for (const line of allProblems) console.log(line);
console.log(
  `${files.definitions.length} definitions, ${allProblems.length === 1 ? '1 fault' : `${allProblems.length} faults`}.`,
);
process.exitCode = allProblems.length > 0 ? 1 : 0;

/**
 * The code of the product in a folder, wherever that is: what its `index.ts` (or `index.js`) exports as `product`; that of this
 * repository without a folder. A product of JSON alone has no hooks and no types.
 */
async function readCode(folder: string | undefined): Promise<Pick<Product, 'hooks' | 'fieldTypes'>> {
  if (folder === undefined) return product;
  const code = await loadCode(fileURLToPath(new URL('..', import.meta.url)), resolve(folder));
  return { hooks: {}, ...(code?.product as ProductCode | undefined) };
}

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
