import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { readDefinitions } from '../src/engine/definitions/read-definitions';
import { createRegistry } from '../src/engine/definitions/registry';
import { readDefinitionFolders, systemFolder } from '../src/server/definitions/folder';
import { describeProblem } from '../src/server/definitions/definition-problem';
import { readShippedRows } from '../src/server/definitions/shipped-rows';
import { createSourceValidator } from '../src/server/definitions/source-validator';
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
const { definitions, problems } = readDefinitions(files.definitions, createSourceValidator());
const all = [...problems, ...readShippedRows(createRegistry(definitions), files, folders).faults];

for (const problem of all) console.log(describeProblem({ ...problem, file: relative('.', problem.file) }));
console.log(`${files.definitions.length} definitions, ${all.length === 1 ? '1 fault' : `${all.length} faults`}.`);
process.exitCode = all.length > 0 ? 1 : 0;
