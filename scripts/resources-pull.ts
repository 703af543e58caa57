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
const [folderArgument, ...names] = positionals;
const folder = resourcesFolder(folderArgument, values.product);

await runCommand(async () => {
  const files = readResources(folder);
  const assay = await openApiClient(process.env);
  try {
    const allModules = await assay.modules();
    const chosenModules = allModules.filter(({ name }) => names.length === 0 || names.includes(name));
    const takesPermissions = names.length === 0 || names.includes(permissionsName);
    const unknown = names.filter(
      (name) => name !== permissionsName && !allModules.some((module) => module.name === name),
    );
    for (const name of unknown) console.error(`There is no module ${name} at ${assay.url}.`);
    const changedModules = chosenModules.filter(
      ({ origin, customised, retired }) => !retired && (customised || origin === 'custom'),
    );
    let writtenCount = 0;
    for (const { name, definition, version } of changedModules) {
      const file = files.get(name);
      if (file && isSameDefinition(file.source, definition)) continue;
      console.log(`${file ? 'Changed' : 'New'}: ${writeResource(folder, definition)} (version ${version})`);
      writtenCount++;
    }
    for (const { name, retired } of chosenModules)
      if (retired && files.has(name)) console.log(`Skipped: ${files.get(name)!.file} (${name} is retired there)`);
    writeBaseVersions(folder, assay.url, Object.fromEntries(chosenModules.map(({ name, version }) => [name, version])));
    if (takesPermissions) {
      const matrix = matrixOf(await assay.roles(), await assay.grantableModules());
      const file = writePermissions(folder, matrix);
      if (file) console.log(`Permissions: ${file}`);
      writeBaseMatrix(folder, assay.url, matrix);
    }
    const unchangedCount = changedModules.length - writtenCount;
    console.log(
      `${writtenCount} written, ${unchangedCount} ${unchangedCount === 1 ? 'was' : 'were'} the same already.`,
    );
    return unknown.length === 0;
  } finally {
    await assay.leave();
  }
});
