import { sql } from 'kysely';
import type { Definition, Field, FieldOf, ResourceRecord } from '../../../engine/definitions/definition';
import { isAnyRelation } from '../../../engine/field-types/relation';
import { isRows, rowsIn } from '../../../engine/field-types/rows';
import { isFileField } from '../../../engine/field-types/stored-files';
import { writableFields } from '../../../engine/validation/record-schema';
import { assertGranted, readableFields, ruleAllowsField } from '../../access/access-filter';
import type { RecordScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import type { Transaction } from '../../database/database';
import { BadRequest, Invalid, NotFound } from '../../errors/errors';
import { loadTitles } from '../read/titles';
import { parseInput, type Body } from '../write/input';
import { readAfterWrite, type RecordResponse } from '../read/read';
import { translateDatabaseErrors } from '../write/row-writes';
import { lockRow, type StoredRow } from '../write/stored-row';
import { storeChanges } from '../write/update';
import { companyKey } from '../../sql/company-key';
import { idOf } from '../../../engine/definitions/accessors';

/**
 * `POST r/{id}/history/{version}/restore`: brings back the values that the fields had after a change, as an ordinary update
 * through every check, and returns the record. Fields that the caller may not read or write stay as they are, and files,
 * of which the history has only the names. `version` is the id of the change in the history; `updated_at` in the body is
 * the version that the client last saw. Throws Forbidden, NotFound, Conflict as an update does, or Invalid, naming records
 * that were deleted since.
 *
 * @example await restoreVersion({ context, definition: deals }, 7, 120, { values: { updated_at: '2026-11-16T14:30:00Z' }, text: false });
 */
export async function restoreVersion(
  { context, definition }: RecordScope,
  id: number,
  version: number,
  body: Body,
): Promise<RecordResponse> {
  const scope = { context, definition };
  assertGranted(context, definition, 'edit');
  const { updated_at: seenVersion, ...unknown } = body.values;
  const [unknownName] = Object.keys(unknown);
  if (unknownName !== undefined) throw new BadRequest(`Only updated_at can be sent, not ${unknownName.slice(0, 60)}.`);
  return translateDatabaseErrors(context, definition, () =>
    context.program.database.transaction(async (trx) => {
      const row = await lockRow({ context, definition, trx }, id);
      const storedVersion = await readVersion(definition, row.values, version, trx);
      if (!storedVersion) throw new NotFound();
      const values = Object.fromEntries(
        restorableFields(context, definition, row)
          .filter(({ name }) => Object.hasOwn(storedVersion.values, name))
          .map((field) => [
            field.name,
            isRows(field) ? rowsAgain(field, storedVersion.values, row) : storedVersion.values[field.name],
          ]),
      );
      const input = parseInput(definition, { values: { ...values, updated_at: seenVersion }, text: false });
      try {
        await storeChanges({ context, definition, trx }, id, { ...input, restores: storedVersion.number }, row);
      } catch (error) {
        throw error instanceof Invalid ? await namingDeleted(scope, error, values) : error;
      }
      return readAfterWrite(scope, id, trx);
    }),
  );
}

interface FoundVersion {
  /** The first entry of the history is version 1. */
  readonly number: number;
  /** The fields that have changed since, as they were. */
  readonly values: ResourceRecord;
}

/** The values of a version: what each later change found, the oldest of them. Undefined if there is no such version. */
async function readVersion(
  definition: Definition,
  record: ResourceRecord,
  version: number,
  trx: Transaction,
): Promise<FoundVersion | undefined> {
  if (!definition.history) return undefined;
  const { rows } = await sql<{
    id: number;
    number: number;
    old_values: ResourceRecord | null;
    new_values: ResourceRecord | null;
  }>`select h.* from (select id::float8 as id, old_values, new_values, (row_number() over (order by assay.history.id))::integer as number
      from assay.history where site_id = ${companyKey(definition, record)} and resource = ${definition.name}
        and record_id = ${idOf(record)}) h
    where h.id >= ${version}::float8 order by h.id desc`.execute(trx);
  const [entry, ...laterEntries] = rows.toReversed();
  if (entry?.id !== version) return undefined;
  const values: Record<string, unknown> = {};
  for (const { old_values: oldValues, new_values: newValues } of laterEntries.toReversed())
    for (const name of Object.keys({ ...oldValues, ...newValues })) values[name] = oldValues?.[name] ?? null;
  return { number: entry.number, values };
}

/** The fields that can be restored: those that the caller may read on every record and write on this one, but no files. */
function restorableFields(context: RequestContext, definition: Definition, row: StoredRow): Field[] {
  const readable = readableFields(context.actor, definition, 'view').always;
  const rules = row.matchingRules();
  const mayWrite = ({ name }: Field) => !rules || rules.some((rule) => ruleAllowsField(rule, name));
  return writableFields(definition).filter(
    (field) => readable.has(field.name) && !isFileField(field) && field.name !== 'site_id' && mayWrite(field),
  );
}

/** The rows of a version, whole: those that are still there keep their ids, the others are new. */
function rowsAgain(field: FieldOf<'rows'>, values: ResourceRecord, row: StoredRow): ResourceRecord[] {
  const storedIds = new Set(rowsIn(row.values[field.name]).map(({ id }) => id));
  const names = Object.values(field.columns).flatMap(({ name, computed }) => (computed === undefined ? [name] : []));
  return rowsIn(values[field.name]).map((line) => ({
    ...(storedIds.has(line.id) && { id: line.id }),
    ...Object.fromEntries(names.map((name) => [name, line[name] ?? null])),
  }));
}

/** The same error, but it says of refused relations which of their records were deleted. */
async function namingDeleted(
  { context, definition }: RecordScope,
  error: Invalid,
  values: ResourceRecord,
): Promise<Invalid> {
  const errors = { ...error.errors };
  for (const name of Object.keys(errors)) {
    const field = definition.fields[name];
    const ids = [values[name]].flat().filter((id): id is number => typeof id === 'number');
    if (!field || !isAnyRelation(field) || ids.length === 0) continue;
    const target = context.registry.getOrThrow(field.to);
    const titles = await loadTitles({ context, definition: target }, ids);
    const missingIds = ids.filter((id) => !titles.has(id)).map((id) => `#${id}`);
    if (missingIds.length > 0)
      errors[name] =
        `${field.label}: ${missingIds.join(', ')} of that version ${missingIds.length === 1 ? 'was' : 'were'} deleted, so it cannot be restored as a whole.`;
  }
  return new Invalid(errors);
}
