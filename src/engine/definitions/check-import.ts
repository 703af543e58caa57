import { fault, needField, needReadable, type Subject } from './check-subject';
import { at } from './paths';

/** Checks the import: its fields exist, and relations are used where required. */
export function checkImport(subject: Subject): void {
  const { import: imported } = subject.definition;
  const { source } = subject;
  if (!imported || !source.import) return;
  const path = '/import';
  const relation = (here: string, name: string) => {
    const field = needField(subject, here, name);
    if (field && field.type !== 'relation') fault(subject, here, `"${name}" must be of type relation.`);
  };
  if (imported.ask !== null) relation(at(path, 'ask'), imported.ask);
  source.import.fields?.forEach((name, index) => needReadable(subject, at(path, 'fields', index), name));
  const known = new Set(imported.columns.map(({ field }) => field));
  const column = (here: string, name: string) => {
    if (needField(subject, here, name) && !known.has(name)) fault(subject, here, `"${name}" is not imported.`);
  };
  for (const key of ['synonyms', 'values'] as const) {
    for (const name of Object.keys(source.import[key] ?? {})) column(at(path, key, name), name);
  }
  imported.steps.forEach((name, index) => column(at(path, 'steps', index), name));
  imported.paths.forEach((names, index) =>
    names.forEach((name, step) => relation(at(path, 'paths', index, step), name)),
  );
  imported.tools.forEach(({ columns, values }, index) => {
    for (const name of Object.keys(values)) column(at(path, 'tools', index, 'values', name), name);
    for (const [heading, name] of Object.entries(columns)) {
      if (name !== null) column(at(path, 'tools', index, 'columns', heading), name);
    }
  });
}
