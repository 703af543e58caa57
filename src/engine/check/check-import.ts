import { formFieldOf } from '../imports/created-values';
import { isRelation } from '../field-types/relation';
import { isRows } from '../field-types/rows';
import { columnTypeOf, fieldTypeOf } from '../field-types';
import { reportProblem, resolveField, resolveReadableField, type CheckSubject } from './check-context';
import { isImportable } from '../normalise/normalise-import';
import { joinPointer } from '../definitions/problems';
import { rowColumnAt } from '../field-types/row-definition';
import { propertyOf } from '../values/lookups';
import { importOf } from '../definitions/accessors';

/** Checks the import: its fields exist, and relations are used where required. */
export function checkImport(subject: CheckSubject): void {
  const { import: importDefinition } = subject.definition;
  const { source } = subject;
  if (!importDefinition || !source.import) return;
  const path = '/import';
  const relation = (relationPath: string, name: string) => {
    const field = resolveField(subject, relationPath, name);
    if (field && !isRelation(field)) reportProblem(subject, relationPath, `"${name}" must be of type relation.`);
  };
  if (importDefinition.ask !== null) relation(joinPointer(path, 'ask'), importDefinition.ask);
  source.import.fields?.forEach((name, index) =>
    resolveReadableField(subject, joinPointer(path, 'fields', index), name),
  );
  const columnFields = new Set(importDefinition.columns.map(({ field }) => field));
  const column = (columnPath: string, name: string) => {
    if (resolveField(subject, columnPath, name) && !columnFields.has(name))
      reportProblem(subject, columnPath, `"${name}" is not imported.`);
  };
  // Also a column of rows: `lines.action`.
  const target = (targetPath: string, name: string) => {
    const field = rowColumnAt(subject.definition, name)?.field.name;
    if (field === undefined || !columnFields.has(field)) withoutRows(targetPath, name);
  };
  const withoutRows = (columnPath: string, name: string) => {
    column(columnPath, name);
    const field = subject.definition.fields[name];
    if (!field || !isRows(field)) return;
    const example = Object.keys(field.columns)[0];
    const message = `"${name}" holds rows, which fill several columns of a file ("${name}.${example}"): name another field.`;
    reportProblem(subject, columnPath, message);
  };
  for (const name of Object.keys(source.import.synonyms ?? {})) column(joinPointer(path, 'synonyms', name), name);
  for (const name of Object.keys(source.import.values ?? {})) withoutRows(joinPointer(path, 'values', name), name);
  importDefinition.match.forEach((name, index) =>
    checkMatch(subject, joinPointer(path, 'match', index), name, columnFields),
  );
  for (const name of Object.keys(importDefinition.creates)) checkCreates(subject, name, columnFields);
  importDefinition.steps.forEach((name, index) => withoutRows(joinPointer(path, 'steps', index), name));
  for (const [name, filledColumn] of Object.entries(importDefinition.splits)) {
    const splitPath = joinPointer(path, 'splits', name);
    withoutRows(splitPath, name);
    const rows = rowColumnAt(subject.definition, filledColumn)?.field.name;
    if (rows === undefined || !columnFields.has(rows))
      reportProblem(
        subject,
        splitPath,
        `"${filledColumn}" is no column of rows that are imported, such as "lines.action".`,
      );
  }
  importDefinition.paths.forEach((names, index) =>
    names.forEach((name, step) => relation(joinPointer(path, 'paths', index, step), name)),
  );
  importDefinition.tools.forEach(({ columns, values }, index) => {
    for (const name of Object.keys(values)) withoutRows(joinPointer(path, 'tools', index, 'values', name), name);
    for (const [heading, name] of Object.entries(columns)) {
      if (name !== null) target(joinPointer(path, 'tools', index, 'columns', heading), name);
    }
  });
}

/** A relation whose records are made has a title that text can be, and values for fields that both have. */
function checkCreates(subject: CheckSubject, name: string, columnFields: ReadonlySet<string>): void {
  const path = joinPointer('/import', 'creates', name);
  const field = resolveField(subject, path, name);
  if (!field) return;
  if (!isRelation(field) || !columnFields.has(name))
    return reportProblem(subject, path, `"${name}" must be a relation that is imported.`);
  if (field.required)
    return reportProblem(subject, path, `"${name}" is required: records of an optional relation can be made alone.`);
  const target = subject.registry.get(field.to);
  if (!target) return;
  const title = target.fields[target.titleField];
  if (!title || !isImportable(title) || !fieldTypeOf(title).searchable)
    reportProblem(subject, path, `${target.labels.many} have no title that an import can fill.`);
  for (const [filledField, value] of Object.entries(propertyOf(importOf(subject.definition).creates, name))) {
    const valuePath = joinPointer(path, filledField);
    if (!target.fields[filledField])
      reportProblem(subject, valuePath, `${target.labels.many} have no field "${filledField}".`);
    const formField = formFieldOf(value);
    if (formField !== undefined) resolveField(subject, valuePath, formField);
  }
}

/** A field that finds records is filled by the file or the form, and has one stored value that can be compared. */
function checkMatch(subject: CheckSubject, path: string, name: string, columnFields: ReadonlySet<string>): void {
  const field = resolveField(subject, path, name);
  if (!field) return;
  const { ask } = importOf(subject.definition);
  if (!columnFields.has(name) && name !== ask) {
    reportProblem(
      subject,
      path,
      `"${name}" is not imported: add it to the import's fields, or match by another field.`,
    );
  } else if (
    columnTypeOf(field) === null ||
    columnTypeOf(field) === 'jsonb' ||
    field.multiple ||
    fieldTypeOf(field).hasMarkup
  ) {
    reportProblem(
      subject,
      path,
      `"${name}" is of type ${field.type}, which cannot find a record: match by a text, number, date, select or relation.`,
    );
  }
}
