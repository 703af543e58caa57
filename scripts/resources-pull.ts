import { parseArgs } from 'node:util';
import { openApiClient } from './resources-client';
import { matrixOf, permissionsName, writeBaseMatrix, writePermissions } from './resources-permissions';
import {
  folderOptions,
  readResources,
  resourcesFolder,
  runCommand,
  isSameDefinition,
  writeBaseVersions,
  writeResource,
} from './resources-folder';

// Writes the definitions that were created or changed in a running Assay, and what its roles grant, to files (default:
// resources/).

const { positionals, values } = parseArgs({ allowPositionals: true, options: folderOptions });
const [given, ...names] = positionals;
const folder = resourcesFolder(given, values.product);

await runCommand(async () => {
  const files = readResources(folder);
  const assay = await openApiClient(process.env);
  try {
    const all = await assay.modules();
    const wanted = all.filter(({ name }) => names.length === 0 || names.includes(name));
    const takesPermissions = names.length === 0 || names.includes(permissionsName);
    const unknown = names.filter((name) => name !== permissionsName && !all.some((module) => module.name === name));
    for (const name of unknown) console.error(`There is no module ${name} at ${assay.url}.`);
    const changed = wanted.filter(({ origin, customised, retired }) => !retired && (customised || origin === 'custom'));
    let written = 0;
    for (const { name, definition, version } of changed) {
      const file = files.get(name);
      if (file && isSameDefinition(file.source, definition)) continue;
      console.log(`${file ? 'Changed' : 'New'}: ${writeResource(folder, definition)} (version ${version})`);
      written++;
    }
    for (const { name, retired } of wanted)
      if (retired && files.has(name)) console.log(`Skipped: ${files.get(name)!.file} (${name} is retired there)`);
    writeBaseVersions(folder, assay.url, Object.fromEntries(wanted.map(({ name, version }) => [name, version])));
    if (takesPermissions) {
      const matrix = matrixOf(await assay.roles(), await assay.grantableModules());
      const file = writePermissions(folder, matrix);
      if (file) console.log(`Permissions: ${file}`);
      writeBaseMatrix(folder, assay.url, matrix);
    }
    const same = changed.length - written;
    console.log(`${written} written, ${same} ${same === 1 ? 'was' : 'were'} the same already.`);
    return unknown.length === 0;
  } finally {
    await assay.leave();
  }
});
