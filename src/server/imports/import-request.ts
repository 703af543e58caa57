import { Level } from '../../engine/definitions/level';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { importTargets, type ImportTarget, type HeadingMapping } from '../../engine/imports/headings';
import { grantedFields } from '../../engine/access/access-decision';
import { fileNameProblem } from '../../engine/imports/file-kinds';
import { importContextField } from '../../engine/imports/context-field';
import { cellFormats, type CellFormat } from '../../engine/imports/cell-formats';
import { parseInstant } from '../../engine/formats/dates';
import { parseId } from '../../engine/field-types/relation';
import { unavailableChoiceMessage, requiredMessage } from '../../engine/validation/messages';
import { sql } from 'kysely';
import type { RequestContext } from '../access/request-context';
import { Upload } from '../files/upload';
import { BadRequest } from '../errors/errors';
import { readJsonField } from '../routing/json-field';
import { referenceErrors } from '../records/write/references';
import { maxMeaningLength, type ValueMeanings } from '../../engine/imports/value-meanings';
import { formatsSchema, mappingSchema, meaningsSchema } from './calls';
import { UnreadableFile } from './reading/sheet-file';

/** A requested import. */
export interface ImportRequest {
  readonly upload: Upload;
  readonly targets: readonly ImportTarget[];
  /** The mapping of headings in the request. */
  readonly mapping: HeadingMapping;
  /** The meanings of values in the request. */
  readonly meanings: ValueMeanings;
  /** Whether choices for an earlier file with the same headings are used too. */
  readonly memory: boolean;
  /** The sheet of a workbook; null: the one with the most known headings. */
  readonly sheet: string | null;
  /** Values of every record: the requested relation, and the company. */
  readonly givenValues: ResourceRecord;
  /** The company of the records; null: the installation. */
  readonly company: number | null;
  /** The effect of an empty cell on a record that exists: keeps the value, or clears it. */
  readonly empty: EmptyCells;
  /** How the days and numbers of columns are read, by heading; of others as their cells show or the user writes them. */
  readonly formats: Readonly<Record<string, CellFormat>>;
  /** Whether numbered text becomes rows of a record. */
  readonly split: boolean;
  /** The effect of a value that is no record and no choice: the row is refused, or the value is left empty. */
  readonly unknown: UnknownValues;
  /** When the user saw the preview: records that were changed since are refused. Null: they are overwritten. */
  readonly seenAt: string | null;
}

export type EmptyCells = 'keep' | 'clear';
export type UnknownValues = 'refuse' | 'empty';

/**
 * Reads the form of an import. Throws UnreadableFile with a message for the user, and BadRequest for a malformed
 * mapping.
 */
export async function parseImportRequest(
  context: RequestContext,
  definition: Definition,
  values: Readonly<Record<string, unknown>>,
): Promise<ImportRequest> {
  const { givenValues, company } = await parseGivenValues(context, definition, values);
  const upload = values.import_file;
  if (!(upload instanceof Upload)) throw new UnreadableFile('File is required.');
  const problem = fileNameProblem(definition.import!, upload.name);
  if (problem) throw new UnreadableFile(problem);
  if (upload.size === 0) throw new UnreadableFile('The file is empty.');
  const targets = importTargets(definition, grantedFields(context.actor, definition, 'create'));
  const mapping = parseMapping(values.mapping, targets);
  const sheet = typeof values.sheet === 'string' && values.sheet !== '' ? values.sheet : null;
  return {
    upload,
    targets,
    mapping,
    meanings: parseMeanings(values.values),
    memory: values.memory !== '0',
    sheet,
    givenValues,
    company,
    empty: parseEmpty(values.empty),
    formats: parseFormats(values.formats),
    unknown: parseUnknown(values.unknown),
    split: parseSplit(values.split),
    seenAt: parseSeenAt(values.seen_at),
  };
}

function parseEmpty(text: unknown): EmptyCells {
  if (text === undefined || text === '' || text === 'keep') return 'keep';
  if (text === 'clear') return 'clear';
  throw new BadRequest('empty must be keep (empty cells leave the value) or clear (they remove it).');
}

function parseUnknown(text: unknown): UnknownValues {
  if (text === undefined || text === '' || text === 'refuse') return 'refuse';
  if (text === 'empty') return 'empty';
  throw new BadRequest(
    'unknown must be refuse (rows with unknown values come back) or empty (such values are left out).',
  );
}

function parseSplit(text: unknown): boolean {
  if (text === undefined || text === '' || text === '0') return false;
  if (text === '1') return true;
  throw new BadRequest('split must be 1 (numbered text becomes rows of the record) or 0.');
}

function parseFormats(text: unknown): ImportRequest['formats'] {
  const formatNames = cellFormats.join(', ');
  const formats = readJsonField('formats', formatsSchema, text, ([heading]) =>
    heading === undefined
      ? `formats must be a JSON object: heading → one of ${formatNames}.`
      : `formats, ${heading.slice(0, 80)}: it must be one of ${formatNames}.`,
  );
  return formats ?? {};
}

function parseSeenAt(text: unknown): string | null {
  if (text === undefined || text === '') return null;
  const instant = typeof text === 'string' ? parseInstant(text) : undefined;
  if (!instant) throw new BadRequest('seen_at must be the seen_at of a preview, such as 2026-11-16T14:30:00Z.');
  return instant;
}

/** Validates the requested record; its company is that of all records. Throws UnreadableFile. */
export async function parseGivenValues(
  context: RequestContext,
  definition: Definition,
  values: Readonly<Record<string, unknown>>,
): Promise<{ givenValues: ResourceRecord; company: number | null }> {
  const { actor, program, registry } = context;
  const field = importContextField(actor, definition);
  if (!field) return { givenValues: {}, company: actor.site_id };
  const contextId = values[field.name];
  if (contextId === undefined || contextId === null || contextId === '') {
    if (field.name === 'site_id' && definition.scope === 'both')
      return { givenValues: { site_id: null }, company: null };
    throw new UnreadableFile(requiredMessage(field));
  }
  const id = parseId(String(contextId));
  if (id === undefined) throw new UnreadableFile(unavailableChoiceMessage(field));
  if (field.name === 'site_id') return { givenValues: { site_id: id }, company: id };
  const givenValues: ResourceRecord = { [field.name]: id };
  const target = registry.getOrThrow(field.to!);
  if (actor.level === Level.Installation && 'site_id' in definition.fields) {
    const column = 'site_id' in target.fields ? sql.id('site_id') : sql`null::bigint`;
    const { rows } = await sql<{ site_id: number | null }>`select ${column} as site_id
      from ${sql.id('public', target.table)} where id = ${id}`.execute(program.database.kysely);
    givenValues.site_id = rows[0]?.site_id ?? null;
  }
  const company = actor.level === Level.Installation ? (givenValues.site_id as number | null) : actor.site_id;
  const companyValues = { ...givenValues, ...('site_id' in definition.fields && { site_id: company }) };
  const record = { values: companyValues, changed: new Set([field.name]) };
  const [referenceFailures = {}] = await referenceErrors({ context, definition, queries: program.database.kysely }, [
    record,
  ]);
  if (referenceFailures[field.name]) throw new UnreadableFile(referenceFailures[field.name]!);
  return { givenValues, company };
}

function parseMapping(text: unknown, targets: readonly ImportTarget[]): HeadingMapping {
  const unknown = (value: unknown) =>
    `mapping: ${JSON.stringify(value)?.slice(0, 80)} is not a field that can be imported.`;
  const mapping = readJsonField('mapping', mappingSchema, text, (path, value) =>
    path.length === 0
      ? 'mapping must be a JSON object: heading → field, or null to leave the column out.'
      : unknown(value),
  );
  const targetValues = new Set(targets.map(({ value }) => value));
  for (const value of Object.values(mapping ?? {})) {
    if (value !== null && !targetValues.has(value)) throw new BadRequest(unknown(value));
  }
  return mapping ?? {};
}

/** Maximum number of values that can be given another meaning at once. */
const maxMeanings = 2_000;

function parseMeanings(text: unknown): ValueMeanings {
  const meanings = readJsonField('values', meaningsSchema, text, ([heading, meaning]) =>
    heading === undefined || meaning === undefined
      ? 'values must be a JSON object: heading → cell value → its meaning (a text, the id of a record, or null for nothing).'
      : `values, ${heading.slice(0, 80)}: ${meaning.slice(0, 80)} must be mapped to a text of at most ${maxMeaningLength} characters, the id of a record, or null.`,
  );
  const count = Object.values(meanings ?? {}).reduce((sum, values) => sum + Object.keys(values).length, 0);
  if (count > maxMeanings) throw new BadRequest(`values: at most ${maxMeanings} values can be mapped.`);
  return meanings ?? {};
}
