import { isRelation } from '../field-types/relation';
import { reportProblem, resolveField, resolveReadableField, type CheckSubject } from './check-context';
import { joinPointer } from './problems';

/** Checks the import: its fields exist, and relations are used where required. */
export function checkImport(subject: CheckSubject): void {
  const { import: imported } = subject.definition;
  const { source } = subject;
  if (!imported || !source.import) return;
  const path = '/import';
  const relation = (here: string, name: string) => {
    const field = resolveField(subject, here, name);
    if (field && !isRelation(field)) reportProblem(subject, here, `"${name}" must be of type relation.`);
  };
  if (imported.ask !== null) relation(joinPointer(path, 'ask'), imported.ask);
  source.import.fields?.forEach((name, index) =>
    resolveReadableField(subject, joinPointer(path, 'fields', index), name),
  );
  const known = new Set(imported.columns.map(({ field }) => field));
  const column = (here: string, name: string) => {
    if (resolveField(subject, here, name) && !known.has(name))
      reportProblem(subject, here, `"${name}" is not imported.`);
  };
  for (const key of ['synonyms', 'values'] as const) {
    for (const name of Object.keys(source.import[key] ?? {})) column(joinPointer(path, key, name), name);
  }
  imported.steps.forEach((name, index) => column(joinPointer(path, 'steps', index), name));
  imported.paths.forEach((names, index) =>
    names.forEach((name, step) => relation(joinPointer(path, 'paths', index, step), name)),
  );
  imported.tools.forEach(({ columns, values }, index) => {
    for (const name of Object.keys(values)) column(joinPointer(path, 'tools', index, 'values', name), name);
    for (const [heading, name] of Object.entries(columns)) {
      if (name !== null) column(joinPointer(path, 'tools', index, 'columns', heading), name);
    }
  });
}
