import { columnTypeOf, isWholeNumber } from '../field-types';
import { isRelation } from '../field-types/relation';
import { formatParts, isSequence, numberPlace } from '../field-types/sequence';
import { reportProblem, resolveReadableField, type CheckSubject } from './check-context';
import type { Field, FieldOf } from '../definitions/definition';
import { joinPointer } from '../definitions/problems';
import type { FieldSource } from '../language/source';

/** The properties that the server decides for a key, so that a definition cannot set them. */
const decidedKeys = ['required', 'readOnly', 'default', 'unique', 'virtual', 'secret'] as const;

/** Checks the format of a sequence and what it is numbered per: their values have to be there in every record. */
export function checkSequence(subject: CheckSubject, path: string, field: Field): void {
  if (!isSequence(field)) return;
  const fieldSource: FieldSource = subject.source.fields[field.name] ?? {};
  for (const key of decidedKeys) {
    if (fieldSource[key] === undefined) continue;
    const message = 'The server gives each record a key of its own, which nobody can change. Remove this property.';
    reportProblem(subject, joinPointer(path, key), message);
  }
  checkPer(subject, joinPointer(path, 'partitionBy'), field);
  checkFormat(subject, joinPointer(path, 'format'), field);
}

function checkPer(subject: CheckSubject, path: string, { partitionBy }: FieldOf<'sequence'>): void {
  if (partitionBy === 'installation') return;
  if (partitionBy === 'company') {
    if (!('site_id' in subject.definition.fields))
      reportProblem(
        subject,
        path,
        'These records belong to no company. Use "installation", or the name of a relation.',
      );
    return;
  }
  const relation = resolveReadableField(subject, path, partitionBy);
  if (relation && !(isRelation(relation) && isAlwaysStored(relation)))
    reportProblem(
      subject,
      path,
      `"${partitionBy}" must be a relation with "required": true, so that every record has a number.`,
    );
}

function checkFormat(subject: CheckSubject, path: string, { format }: FieldOf<'sequence'>): void {
  const paths = formatParts(format).flatMap((part) => ('path' in part ? [part.path] : []));
  if (paths.filter((placePath) => placePath === numberPlace).length !== 1)
    reportProblem(subject, path, 'The format must contain {n}, the place of the number, exactly once: "TC-{n}".');
  for (const placePath of paths) if (placePath !== numberPlace) checkFormatPath(subject, path, placePath);
}

/** A field of the record, or of the record that a relation refers to. */
function checkFormatPath(subject: CheckSubject, path: string, fieldPath: string): void {
  const [name, inner, ...rest] = fieldPath.split('.') as [string, string | undefined];
  const field = resolveReadableField(subject, path, name);
  if (!field) return;
  if (!isAlwaysStored(field))
    return reportProblem(subject, path, `"${name}" must be required, so that no key is without it.`);
  if (inner === undefined) return checkPrinted(subject, path, field, fieldPath);
  if (!isRelation(field) || rest.length > 0)
    return reportProblem(subject, path, `"${fieldPath}" must be a field, or a relation and a field of its records.`);
  const target = subject.registry.get(field.to);
  const printed = target && resolveReadableField(subject, path, inner, target);
  if (printed) checkPrinted(subject, path, printed, fieldPath);
}

function checkPrinted(subject: CheckSubject, path: string, field: Field, fieldPath: string): void {
  const column = columnTypeOf(field);
  if (column !== 'text' && !isWholeNumber(column))
    reportProblem(
      subject,
      path,
      `"${fieldPath}" is of type ${field.type}: a key is made of stored texts and whole numbers.`,
    );
}

function isAlwaysStored(field: Field): boolean {
  return (field.required || field.name === 'site_id') && columnTypeOf(field) !== null;
}
