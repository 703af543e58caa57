import { fieldTypeOf } from '../field-types';
import { findViolation } from '../validation/find-violation';
import { violationMessage } from '../validation/messages';
import type { Definition } from '../definitions/definition';
import { joinPointer, unknownNameMessage, type Problem } from '../definitions/problems';

/**
 * Checks the rows shipped with a resource: unique integer ids, known fields and valid values.
 *
 * @example checkRows(priorities, [{ id: 1, name: 'Urgent' }]); // []
 */
export function checkRows(definition: Definition, rows: unknown): Problem[] {
  if (!Array.isArray(rows)) return [{ path: '', message: 'This must be a list of rows.' }];
  const ids = new Set<unknown>();
  return rows.flatMap((row: unknown, index) => {
    const path = joinPointer('', index);
    if (typeof row !== 'object' || row === null) return [{ path, message: 'This must be a row: an object.' }];
    const { id } = row as { id?: unknown };
    const faults = checkRow(definition, row, path);
    if (!Number.isInteger(id) || (id as number) < 1)
      faults.push({ path: joinPointer(path, 'id'), message: 'A row needs an id: a whole number from 1.' });
    else if (ids.has(id))
      faults.push({ path: joinPointer(path, 'id'), message: `The id ${String(id)} is duplicated.` });
    ids.add(id);
    return faults;
  });
}

function checkRow(definition: Definition, row: object, path: string): Problem[] {
  const faults: Problem[] = [];
  for (const [name, value] of Object.entries(row)) {
    const field = Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined;
    if (!field)
      faults.push({
        path: joinPointer(path, name),
        message: unknownNameMessage('field', name, Object.keys(definition.fields)),
      });
    else if (value !== null && value !== undefined) {
      const violation = findViolation(fieldTypeOf(field).schema(field), value);
      if (violation) faults.push({ path: joinPointer(path, name), message: violationMessage(field, violation) });
    }
  }
  for (const field of Object.values(definition.fields)) {
    const value = (row as Record<string, unknown>)[field.name];
    if (field.required && !field.system && (value === undefined || value === null)) {
      faults.push({ path: joinPointer(path, field.name), message: `"${field.name}" is missing.` });
    }
  }
  return faults;
}
