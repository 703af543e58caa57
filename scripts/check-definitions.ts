import { relative } from 'node:path';
import { iconNames } from '../src/app/icons/icons';
import { unknownRoleProblems } from '../src/engine/check/check-roles';
import { findSenseless } from '../src/engine/check/find-senseless';
import { parseJson } from '../src/engine/check/parse-json';
import { closestPath, readDefinitions, type DefinitionFile } from '../src/engine/check/read-definitions';
import { createRegistry } from '../src/engine/registry/registry';
import { definitionName } from '../src/server/definitions/candidates';
import { describeProblem } from '../src/server/definitions/definition-problem';
import type { DefinitionFiles, DefinitionFolders } from '../src/server/definitions/folder';
import { readShippedRows } from '../src/server/definitions/shipped-rows';
import { createSourceValidator } from '../src/server/definitions/source-validator';

/** The result of a check: the names of the definitions that can be used, and every problem as `file:line path message`. */
export interface CheckedDefinitions {
  readonly names: readonly string[];
  readonly problems: readonly string[];
}

/**
 * Every problem of definitions and shipped rows, as `npm run resources:check` says it.
 *
 * @param hooks The names of hooks that the system and the product have.
 */
export function checkDefinitions(
  files: DefinitionFiles,
  folders: DefinitionFolders,
  hooks: readonly string[],
): CheckedDefinitions {
  const { definitions, sources, problems } = readDefinitions(files.definitions, createSourceValidator());
  const rows = readShippedRows(createRegistry(definitions), files, folders);
  const roles = rows.shipped.flatMap((shippedRows) =>
    shippedRows.definition.name === 'roles' ? shippedRows.rows.map(({ key }) => String(key)) : [],
  );
  const remedy = 'A role that definitions name is shipped with them: add it to rows/roles.json, or name another one.';
  const senseless = definitions.flatMap((definition) => {
    const source = sources.get(definition.name)!;
    return [
      ...findSenseless(source, definition, { icons: iconNames, hooks }),
      ...unknownRoleProblems(source, roles, remedy),
    ].map(({ path, message }) => `${locate(files.definitions, definition.name, path)} ${path} ${message}`);
  });
  const faults = [...problems, ...rows.faults].map((problem) =>
    describeProblem({ ...problem, file: relative('.', problem.file) }),
  );
  return { names: definitions.map(({ name }) => name), problems: [...senseless, ...faults] };
}

/** `resources/tasks.json:12`, for a place in a definition; its name, where its file is not found. */
function locate(files: readonly DefinitionFile[], name: string, path: string): string {
  const file = files.find((candidate) => definitionName(candidate.file) === name);
  if (!file) return name;
  const { lines } = parseJson(file.text);
  const location = file.locate?.(path) ?? { file: file.file, line: lines.get(closestPath(path, lines)) ?? 1 };
  return `${relative('.', location.file)}:${location.line}`;
}
