import { isRelation } from '../field-types/relation';
import { columnTypeOf, fieldTypeOf } from '../field-types';
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
  imported.match.forEach((name, index) => checkMatch(subject, joinPointer(path, 'match', index), name, known));
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

/** A field that finds records is filled by the file or the form, and has one stored value that can be compared. */
function checkMatch(subject: CheckSubject, path: string, name: string, known: ReadonlySet<string>): void {
  const field = resolveField(subject, path, name);
  if (!field) return;
  const { ask } = subject.definition.import!;
  if (!known.has(name) && name !== ask) {
    reportProblem(
      subject,
      path,
      `"${name}" is not imported: add it to the import's fields, or match by another field.`,
    );
  } else if (columnTypeOf(field) === null || columnTypeOf(field) === 'jsonb' || fieldTypeOf(field).hasMarkup) {
    reportProblem(
      subject,
      path,
      `"${name}" is of type ${field.type}, which cannot find a record: match by a text, number, date, select or relation.`,
    );
  }
}
