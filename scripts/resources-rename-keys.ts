import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { renameKeys } from '../src/server/database/migrations/rename-keys';
import { CommandError } from './resources-client';
import { folderOptions, resourcesFolder, runCommand } from './resources-folder';

// Gives the keys of definitions in files their present names (default: resources/). Stored definitions are renamed by themselves
// when the program starts.

const { positionals, values } = parseArgs({ allowPositionals: true, options: folderOptions });
const folder = resourcesFolder(positionals[0], values.product);

await runCommand(async () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isDefinitionFile);
  if (files.length === 0) throw new CommandError(`There are no definitions in ${folder}.`);
  const renamedFiles = files.map((file) => join(folder, file)).filter(renameInFile);
  for (const file of renamedFiles) console.log(`Renamed: ${relative('.', file)}`);
  console.log(`${files.length} definitions, ${renamedFiles.length} changed.`);
  return true;
});

/** Rows that come with the program are values, not definitions. */
function isDefinitionFile(file: string): boolean {
  return file.endsWith('.json') && !basename(file).startsWith('.') && !/(^|[\\/])rows[\\/]/.test(file);
}

/** Returns whether the file was changed. */
function renameInFile(file: string): boolean {
  const text = readFileSync(file, 'utf8');
  const newText = renameKeys(text);
  if (newText === text) return false;
  writeFileSync(file, newText);
  return true;
}
