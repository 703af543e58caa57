import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { checkRows } from '../src/engine/definitions/check-rows';
import type { Definition } from '../src/engine/definitions/definition';
import { JsonError, parseJson } from '../src/engine/definitions/parse-json';
import type { FileProblem } from '../src/engine/definitions/problems';
import { readDefinitions } from '../src/engine/definitions/read-definitions';
import { createSourceValidator } from '../src/server/definitions/source-validator';

// Reports every problem in the definitions of a folder (default: resources/), as file:line path message.

const folder = process.argv[2] ?? 'resources';

if (!existsSync(folder)) {
  console.error(`There is no folder ${folder}.`);
  process.exit(1);
}

const files = readdirSync(folder)
  .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
  .sort()
  .map((name) => ({ file: join(folder, name), text: readFileSync(join(folder, name), 'utf8') }));
const { definitions, problems } = readDefinitions(files, createSourceValidator());
const all = [...problems, ...definitions.flatMap(rowFaults)];

for (const { file, line, path, message } of all) {
  console.log(`${relative('.', file)}:${line}${path && ` ${path}`} ${message}`);
}
console.log(`${files.length} definitions, ${all.length === 1 ? '1 fault' : `${all.length} faults`}.`);
process.exitCode = all.length > 0 ? 1 : 0;

/** The problems of rows that ship with a definition. */
function rowFaults(definition: Definition): FileProblem[] {
  if (!definition.rows) return [];
  const file = join(folder, 'rows', definition.rows.file);
  if (!existsSync(file))
    return [
      {
        file,
        line: 1,
        path: '',
        message: `${definition.name} names this file for its shipped rows, but it does not exist.`,
      },
    ];
  try {
    const { value, lines } = parseJson(readFileSync(file, 'utf8'));
    return checkRows(definition, value).map((fault) => ({
      ...fault,
      file,
      line: lines.get(fault.path) ?? lines.get(fault.path.replace(/\/[^/]*$/, '')) ?? 1,
    }));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return [{ file, line: error.line, path: '', message: error.message }];
  }
}
