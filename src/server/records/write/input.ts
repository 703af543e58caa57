import { randomBytes } from 'node:crypto';
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { sql, type RawBuilder } from 'kysely';
import { LRUCache } from 'lru-cache';
import type {
  Definition,
  Field,
  FieldOf,
  ResourceRecord,
  AnyRelationField,
} from '../../../engine/definitions/definition';
import { unwrapId, resolveVariable, unresolved, type EvaluationContext } from '../../../engine/conditions/variables';
import { fieldTypeOf, valueTypeOf } from '../../../engine/field-types';
import { isInverse } from '../../../engine/field-types/inverse';
import { describeAccepted, isAcceptedKind } from '../../../engine/field-types/file-kinds';
import { formatBytes, isFiles } from '../../../engine/field-types/files';
import { imageTypeMessage } from '../../../engine/field-types/image';
import { fileKeyOf, isFileField, isFileValue } from '../../../engine/field-types/stored-files';
import { defaultLookup } from '../../../engine/forms/default-lookup';
import { parseJsonValue } from '../../../engine/field-types/parse-json-value';
import type { FieldErrors, Validator } from '../../../engine/validation/validate-values';
import { unknownProperties, violationMessage } from '../../../engine/validation/messages';
import { writableFields } from '../../../engine/validation/record-schema';
import { Upload } from '../../files/upload';
import { cleanMarkup } from './markup';
import { matchesCondition } from '../../../engine/conditions/match-condition';
import type { RelatedTest } from '../../../engine/conditions/related-tests';
import {
  conditionNeeds,
  needsDatabase,
  storedSources,
  type ConditionNeeds,
} from '../../../engine/expressions/condition-needs';
import { computeValues } from '../../../engine/expressions/evaluate';
import type { QueryScope, RecordScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { runStatement } from '../../database/database';
import { compilePattern } from '../../../engine/patterns/compile-pattern';
import { isSafePattern } from '../../../engine/patterns/matcher';
import { formats } from '../../../engine/validation/formats';
import type { Violation } from '../../../engine/validation/find-violation';
import { isLongerThan } from '../../../engine/values/is-longer-than';
import { minutesBetween } from '../../../engine/field-types/duration';
import { isRelations } from '../../../engine/field-types/relations';
import { cellPath, isRows, insertedRows } from '../../../engine/field-types/rows';
import { rowColumns } from '../../../engine/field-types/row-definition';
import { isShareLink } from '../../../engine/field-types/share-link';
import { pinnedBy } from '../../../engine/normalise/pins';
import { isVariable, type Predicate } from '../../../engine/conditions/grammar';
import { isAnyRelation, pinNames, isRecordId } from '../../../engine/field-types/relation';
import { parseBoundedJson } from '../../../engine/values/bounded-json';
import {
  allOf,
  decisionContext,
  expandForDecision,
  referenceScope,
  visibleRowsFilter,
} from '../../access/access-filter';
import { columnSql } from '../../sql/column-sql';
import { findEmbedField } from '../../sql/operands';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { resolvePredicate } from '../../sql/statement-parameter';
import { recordCompany, recordCompanyParameter, recordParameters } from './references';
import { audienceKey, bind, cachedStatement, conditionKey, Placeholder } from '../read/statement-cache';
import { changedStates } from './states';
import { TooLarge, UnsupportedMediaType } from '../../errors/errors';
import { firstOf, getOrThrow, itemAt, propertyOf } from '../../../engine/values/lookups';

/** Properties that older clients send and that are ignored: the session or the settings determine them. */
const ignoredNames: ReadonlySet<string> = new Set([
  'authenticateUrl',
  'isProfile',
  'setup_account',
  'role_id',
  'resetPasswordLink',
  'invitationLink',
  'import_type',
]);

/** A file that a client sent back as it was returned: one of the record, or one that was uploaded before. */
export class FileReference {
  constructor(
    readonly key: string,
    readonly name: string,
  ) {}
}

/** A request body; `text`: it came from a form, so its values are strings. */
export interface Body {
  readonly values: Readonly<Record<string, unknown>>;
  readonly text: boolean;
  /** All files of a form, also several under one name. */
  readonly uploads?: readonly Upload[];
}

/** The versions that were sent for pinned relations, by the relation: `current`, or the version that the user saw. */
type SentPins = Readonly<Record<string, unknown>>;

/** A parsed body: values by field, and errors by name. */
export interface Input {
  readonly values: ResourceRecord;
  readonly errors: FieldErrors;
  /** Image fields that came back as they were sent: a stored record keeps its picture, a copy gets its own. */
  readonly kept: readonly string[];
  /** Fields that the definition sets, whether or not users can write them. */
  readonly fixed?: ReadonlySet<string>;
  /** Fields of a new record that have their initial state, which nobody sent. */
  readonly initial?: ReadonlySet<string>;
  /** The versions that were sent for pinned relations. */
  readonly pins?: SentPins;
  /** The version of the record that these values bring back, for its history. */
  readonly restores?: number;
  /** `updated_at`, if it was sent: the version that the client last saw. */
  readonly seenVersion?: unknown;
}

/** Whether the body has no errors. */
export function isValid({ errors }: Input): boolean {
  return Object.keys(errors).length === 0;
}

/**
 * Parses a body by the types of the fields. Ids, stamps, embeds, counts and read-only fields are ignored; any other
 * property is an error.
 */
export function parseInput(definition: Definition, { values: sentValues, text }: Body): Input {
  const writable = new Map(writableFields(definition).map((field) => [field.name, field]));
  const knownNames = responseNames(definition);
  const values: ResourceRecord = {};
  const errors = Object.create(null) as FieldErrors;
  const addUnknown = unknownProperties(errors);
  const keptFields: string[] = [];
  const pins: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(sentValues)) {
    const field = writable.get(name);
    if (!field) {
      const relation = pinnedBy(definition, name);
      if (relation && !relation.readOnly) pins[relation.name] = value;
      if (!knownNames.has(name) && !ignoredNames.has(name)) addUnknown(name);
      continue;
    }
    if (isFiles(field)) {
      parseFiles(field, value, values, errors);
      continue;
    }
    if (value instanceof Upload || isFileField(field)) {
      if (isFileValue(value)) keptFields.push(name);
      else parseFile(field, value, values, errors);
      continue;
    }
    const read = parseValue(field, value, text);
    if ('violation' in read) errors[name] = violationMessage(field, read.violation);
    else if (isRows(field)) parseRows(field, read.value, values, errors);
    else values[name] = read.value;
  }
  return { values, errors, kept: keptFields, pins, seenVersion: sentValues.updated_at };
}

/** A value in its stored form, or the rule that it breaks by its form. */
function parseValue(
  field: Field,
  value: unknown,
  text: boolean,
): { readonly value: unknown } | { readonly violation: Violation } {
  if (isTooLong(field, value)) return { violation: { keyword: 'maxLength', limit: field.maxLength } };
  const read = text ? parseTextValue(field, value) : parseJsonText(field, value);
  return read === undefined ? { violation: { keyword: 'type' } } : { value: read };
}

/** Parses rows, each cell by the type of its column; errors are named by their place, such as `lines[2].amount`. */
function parseRows(field: FieldOf<'rows'>, sentRows: unknown, values: ResourceRecord, errors: FieldErrors): void {
  const list: readonly unknown[] | undefined = sentRows === null ? [] : Array.isArray(sentRows) ? sentRows : undefined;
  if (!list) return void (errors[field.name] = violationMessage(field, { keyword: 'type' }));
  if (list.length > field.maxItems)
    return void (errors[field.name] = violationMessage(field, { keyword: 'maxItems', limit: field.maxItems }));
  const columns = new Map(writableFields({ fields: field.columns }).map((column) => [column.name, column]));
  const knownNames = responseNames({ fields: field.columns });
  const addUnknown = unknownProperties(errors);
  let isReadable = true;
  const rows = list.map((row, index) => {
    const cells: ResourceRecord = {};
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      errors[`${field.name}[${index}]`] = `${field.label}: each row is an object with the values of its columns.`;
      isReadable = false;
      return cells;
    }
    for (const [name, value] of Object.entries(row)) {
      const path = cellPath(field, index, name);
      if (name === rowColumns.id) {
        if (isRecordId(value)) cells.id = value;
        else if (value !== null && value !== undefined) errors[path] = `${field.label}: the id of a row is a number.`;
        continue;
      }
      const column = columns.get(name);
      if (!column) {
        const isRead = field.insertedRows !== undefined && name === insertedRows;
        if (!knownNames.has(name) && !isRead) addUnknown(name, path);
        continue;
      }
      const read = parseValue(column, value, false);
      if ('violation' in read) errors[path] = violationMessage(column, read.violation);
      else cells[name] = read.value;
    }
    return cells;
  });
  if (isReadable) values[field.name] = rows;
}

/** At so many times its limit a text is too long, whatever is not stored of it. */
const mostBeforeCleaning = 10;

/**
 * Whether a text is too long as it was sent, before it is cleaned: markup by its limit, other texts if what is dropped from
 * them cannot make them short enough. Cleaning takes longer than reading.
 */
function isTooLong(field: Field, value: unknown): boolean {
  if (typeof value !== 'string' || field.maxLength === undefined) return false;
  return isLongerThan(value, fieldTypeOf(field).hasMarkup ? field.maxLength : mostBeforeCleaning * field.maxLength);
}

/** Parses a file; null removes it. Throws UnsupportedMediaType for a file of another type. */
function parseFile(field: Field, value: unknown, values: ResourceRecord, errors: FieldErrors): void {
  if (!isFileField(field)) errors[field.name] = `${field.label} does not accept a file.`;
  else if (value instanceof Upload) {
    assertPicture(field, value);
    values[field.name] = value;
  } else if (value === null || value === '') values[field.name] = null;
  else errors[field.name] = imageTypeMessage(field.label);
}

/**
 * Parses the files of a field: received ones, and references to others. Throws UnsupportedMediaType for a file of a kind
 * that the field does not take, and TooLarge.
 */
function parseFiles(field: FieldOf<'files'>, sentFiles: unknown, values: ResourceRecord, errors: FieldErrors): void {
  const parts = [sentFiles].flat().flatMap((part) => (typeof part === 'string' ? readFileList(part) : [part]));
  const files = new Map<string, Upload | FileReference>();
  for (const part of parts) {
    if (part === null) continue;
    if (part instanceof Upload) {
      assertAccepted(field, part);
      files.set(part.path, part);
    } else if (part instanceof FileReference) files.set(part.key, part);
    else if (isFileValue(part))
      files.set(fileKeyOf(part.url), new FileReference(fileKeyOf(part.url), String(part.name)));
    else {
      errors[field.name] = `${field.label} must be files: those of a form, and others as they were returned.`;
      return;
    }
  }
  if (files.size > field.maxItems)
    errors[field.name] = violationMessage(field, { keyword: 'maxItems', limit: field.maxItems });
  else values[field.name] = files.size === 0 ? null : [...files.values()];
}

/** The text part of a form: the files to keep as JSON, or nothing. */
function readFileList(text: string): readonly unknown[] {
  if (text === '') return [];
  try {
    const list = parseBoundedJson(text);
    return Array.isArray(list) ? list : [text];
  } catch {
    return [text];
  }
}

const responseNamesCache = new WeakMap<Definition['fields'], ReadonlySet<string>>();

function responseNames(definition: Pick<Definition, 'fields'>): ReadonlySet<string> {
  let names = responseNamesCache.get(definition.fields);
  if (!names) {
    const fields = Object.values(definition.fields);
    names = new Set(
      fields.flatMap(({ name, embed, countName, sum }) => [
        name,
        ...(embed ? [embed] : []),
        ...(countName ? [countName] : []),
        ...(sum ? [sum.name] : []),
      ]),
    );
    responseNamesCache.set(definition.fields, names);
  }
  return names;
}

function parseJsonText(field: Field, value: unknown): unknown {
  const idOrValue = field.to ? (Array.isArray(value) ? value.map(unwrapId) : unwrapId(value)) : value;
  const read = parseJsonValue(field, idOrValue);
  return read === undefined ? undefined : cleanValue(field, read);
}

function parseTextValue(field: Field, value: unknown): unknown {
  if (Array.isArray(value)) {
    return isRelations(field) ? parseTextValue(field, value.join(',')) : undefined;
  }
  if (typeof value !== 'string') return undefined;
  if (value === '') return parseJsonText(field, null);
  const read = fieldTypeOf(field).fromText(value, field);
  return read === undefined ? undefined : parseJsonText(field, read);
}

function cleanValue(field: Field, value: unknown): unknown {
  if (isRelations(field) && value === null) return [];
  return fieldTypeOf(field).hasMarkup && typeof value === 'string' ? cleanMarkup(value) : value;
}

/**
 * Drops fields whose `readOnly` condition holds; like fields that are always read-only, they are ignored. `storedValues`
 * are those of the stored record or, for a new one, its default values.
 */
export async function dropReadOnlyFields(
  scope: QueryScope,
  storedValues: ResourceRecord,
  input: Input,
): Promise<Input> {
  const { definition } = scope;
  const { pins = {} } = input;
  const isSent = (name: string) =>
    (name in input.values && !input.fixed?.has(name)) ||
    input.kept.includes(name) ||
    (Object.hasOwn(pins, name) && !input.fixed?.has(pinNames(name).pin));
  const conditionalFields = Object.values(definition.fields).flatMap(({ name, readOnlyWhen }) =>
    readOnlyWhen && isSent(name) ? [{ name, readOnlyWhen }] : [],
  );
  if (conditionalFields.length === 0) return input;
  const dataNeeds = conditionNeeds(
    definition,
    conditionalFields.map(({ readOnlyWhen }) => readOnlyWhen),
  );
  const evaluationContext = await formContext(scope, dataNeeds, { values: storedValues, before: storedValues });
  const formValues = { ...storedValues, ...evaluationContext.derived };
  const readOnlyNames = new Set(
    conditionalFields
      .filter(({ readOnlyWhen }) => matchesCondition(readOnlyWhen, formValues, evaluationContext))
      .map(({ name }) => name),
  );
  if (readOnlyNames.size === 0) return input;
  const open = (entries: SentPins) =>
    Object.fromEntries(Object.entries(entries).filter(([name]) => !readOnlyNames.has(name)));
  return {
    ...input,
    values: open(input.values),
    pins: open(pins),
    kept: input.kept.filter((name) => !readOnlyNames.has(name)),
  };
}

/** Patterns come from definitions: their run time must be linear in the length of the text. */
const regExp: NonNullable<Options['code']>['regExp'] = Object.assign(
  (pattern: string) =>
    isSafePattern(pattern)
      ? new RegExp(pattern, 'u')
      : // ajv caches expressions by their text, so each pattern needs a distinct one.
        { test: compilePattern(pattern), toString: () => `re2 ${pattern}` },
  { code: 'patternEngine' },
);
const ajv = new Ajv({ strict: true, allowUnionTypes: true, formats: { ...formats }, code: { regExp } });
const fieldValidators = new WeakMap<Field, ValidateFunction>();
/** By the text of their schema: most fields share a schema, and most definitions survive a change unchanged. */
const schemaValidators = new LRUCache<string, ValidateFunction>({ max: 2_000 });

/**
 * Validates a value against the schema of its field, compiled once per field. Returns the first violation, or
 * undefined.
 */
export const validateValue: Validator = (field, value) => {
  let validate = fieldValidators.get(field);
  if (!validate) fieldValidators.set(field, (validate = validatorOf(field)));
  if (validate(value)) return undefined;
  return toViolation(validate);
};

function validatorOf(field: Field): ValidateFunction {
  const schema = fieldTypeOf(field).schema(field);
  const text = JSON.stringify(schema);
  let validate = schemaValidators.get(text);
  if (validate) return validate;
  validate = ajv.compile(schema);
  // Definitions change while the server runs: ajv would keep every schema it ever compiled.
  ajv.removeSchema(schema);
  schemaValidators.set(text, validate);
  return validate;
}

function toViolation(validate: ValidateFunction): Violation {
  const { keyword, params, instancePath } = firstOf(validate.errors ?? []);
  if (instancePath !== '') return { keyword: 'items' };
  const { limit, format, type } = params as Record<string, unknown>;
  return { keyword, limit: limit ?? format ?? type };
}

/** Computes durations from their start and end times. */
export function withDurations(definition: Pick<Definition, 'fields'>, values: ResourceRecord): ResourceRecord {
  const durations = Object.values(definition.fields).flatMap((field): [string, unknown][] => {
    const { name, span } = field;
    if (span) return [[name, minutesBetween(values[span.from], values[span.to]) ?? null]];
    const list = isRows(field) ? values[name] : undefined;
    if (!isRows(field) || !Array.isArray(list) || !Object.values(field.columns).some((column) => column.span))
      return [];
    return [[name, (list as ResourceRecord[]).map((row) => withDurations({ fields: field.columns }, row))]];
  });
  return durations.length === 0 ? values : { ...values, ...Object.fromEntries(durations) };
}

/** Also creates share links for a new record. */
export function withDerived(definition: Definition, values: ResourceRecord): ResourceRecord {
  const links = Object.values(definition.fields).filter(isShareLink);
  const tokens = Object.fromEntries(links.map(({ name }) => [name, createToken()]));
  return { ...withDurations(definition, values), ...tokens };
}

/** A token that can't be guessed: 192 random bits, safe in URLs. */
export function createToken(): string {
  return randomBytes(24).toString('base64url');
}

/** The default values. Read-only fields have them too: nobody sends them, but a new record starts with them. */
export function defaultValues(context: RequestContext, definition: Pick<Definition, 'fields'>): ResourceRecord {
  const values: ResourceRecord = {};
  for (const field of Object.values(definition.fields)) {
    if (field.default === undefined || field.system || field.computed !== undefined || defaultLookup(field)) continue;
    const value = isVariable(field.default) ? resolveVariable(field.default, context.evaluationContext) : field.default;
    if (value !== unresolved) values[field.name] = value;
  }
  return values;
}

/** The values of a record that conditions are evaluated on, and the stored ones: undefined for a new record. */
export interface FormValues {
  readonly values: ResourceRecord;
  readonly before?: ResourceRecord;
}

/** Results of tests, for callers that evaluate them for many records. */
export type KnownResults = Map<string, boolean>;

/**
 * The values that conditions on values to be stored are evaluated with, including the results of their tests on related records, and
 * the computed fields that they compare. One statement for all tests, and none if there are none, or no related records;
 * another for what is computed from other records, and for a changed state. A record that the caller has just chosen
 * counts only if they may see it: whether it passes must reveal nothing. Values that are computed from others are computed
 * from all of them: a decision is the same whoever asks.
 */
export async function formContext(
  { context, definition, queries }: QueryScope,
  { tests, computed: computedFields }: ConditionNeeds,
  formValues: FormValues,
  knownResults: KnownResults = new Map(),
): Promise<EvaluationContext> {
  const scope = { context, definition, queries };
  const { before: storedRecord } = formValues;
  const states = await changedStates(scope, formValues);
  const initial: EvaluationContext = {
    ...context.evaluationContext,
    states,
    isComplete: true,
    ...(storedRecord && { record: storedRecord }),
  };
  const queried = await queryComputed(scope, computedFields.filter(needsDatabase), formValues);
  const currentValues = { ...formValues.values, ...queried };
  const testedContext = await testContext(
    { context, definition, queries },
    tests,
    { ...formValues, values: currentValues },
    initial,
    knownResults,
  );
  if (computedFields.length === 0) return testedContext;
  const computedValues = computeValues(definition, withDurations(definition, currentValues), {
    ...testedContext,
    form: currentValues,
  });
  return {
    ...testedContext,
    derived: Object.fromEntries(computedFields.map(({ name }) => [name, computedValues[name]])),
  };
}

/** The values of fields that only the database can compute, for the values of a record. */
async function queryComputed(
  { context, definition, queries }: QueryScope,
  fields: readonly Field[],
  { values, before: storedRecord }: FormValues,
): Promise<ResourceRecord> {
  if (fields.length === 0) return {};
  const { registry } = context;
  const company = definition.fields.site_id ? ['site_id'] : [];
  const sources = [...storedSources(definition, fields), ...company].flatMap(
    (name) => definition.fields[name] ?? findEmbedField(definition, name) ?? [],
  );
  const read = [...new Set(sources)].filter(({ name }) => name !== 'id');
  const isChosen = ({ name, to: targetName }: Field) =>
    targetName !== undefined &&
    name !== 'site_id' &&
    unwrapId(storedRecord?.[name] ?? null) !== unwrapId(values[name] ?? null);
  const names = (fieldList: readonly Field[]) => fieldList.map(({ name }) => name).join();
  const key = `derived|${audienceKey(context)}|${definition.name}|${names(fields)}|${names(read.filter(isChosen))}`;
  const plan = cachedStatement(context, key, () => {
    const decision = decisionContext(context);
    const columns = read.map((field) => {
      const value = sql`${new Placeholder(field.name)}::${sql.raw(valueTypeOf(field) ?? 'text')}`;
      if (!isChosen(field)) return sql`${value} as ${sql.id(field.name)}`;
      const target = registry.getOrThrow(field.to);
      const isVisible = predicateToSql(visibleRowsFilter(context, target), target, 'chosen', registry, decision);
      return sql`(select chosen.id from ${sql.id('public', target.table)} chosen
        where chosen.id = ${value} and ${isVisible}) as ${sql.id(field.name)}`;
    });
    const row = sql.join([sql`${new Placeholder('id')}::bigint as id`, ...columns]);
    const results = fields.map(
      (field) => sql`${columnSql(definition, field, 't', registry, decision)} as ${sql.id(field.name)}`,
    );
    return sql`select ${sql.join(results)} from (select ${row}) t`;
  });
  const bound = read.map((field): [string, unknown] => {
    const value = unwrapId(values[field.name] ?? null);
    if (field.name === 'site_id') return [field.name, formCompany(context, definition, values)];
    return [field.name, value === null || validateValue(field, value) ? null : value];
  });
  const [row] = await runStatement<ResourceRecord>(
    queries,
    bind(plan, { id: storedRecord?.id ?? null, ...Object.fromEntries(bound) }),
  );
  return row ?? {};
}

/** The context with the results of tests on related records. */
async function testContext(
  scope: QueryScope,
  tests: readonly RelatedTest[],
  { values, before: storedRecord }: FormValues,
  evaluationContext: EvaluationContext,
  knownResults: KnownResults,
): Promise<EvaluationContext> {
  const { context, definition, queries } = scope;
  // Rows are among the values: the conditions find them there.
  const relationTests = tests.filter(({ field }) => !isOnRows(definition, field));
  if (relationTests.length === 0) return evaluationContext;
  const resolvedTests = relationTests.map((test) =>
    resolveTest(scope, test, { values, before: storedRecord }, evaluationContext),
  );
  const open = new Map(resolvedTests.filter(({ key }) => !knownResults.has(key)).map((test) => [test.key, test]));
  if (open.size > 0) {
    const openTests = [...open.values()];
    const plan = cachedStatement(
      context,
      `tests|${context.registry.version}|${openTests.map(({ shape }) => shape).join('|')}`,
      () =>
        sql`select ${sql.join(
          openTests.map(({ build }, index) => sql`(${build(`ids ${index}`)}) is true as ${sql.id(`t${index}`)}`),
        )}`,
      recordParameters(formCompany(context, definition, values), values, storedRecord),
    );
    const ids = Object.fromEntries(openTests.map((test, index) => [`ids ${index}`, test.ids]));
    const row = firstOf(await runStatement<Record<string, boolean>>(queries, bind(plan, ids)));
    openTests.forEach(({ key }, index) => knownResults.set(key, propertyOf(row, `t${index}`)));
  }
  const relatedResults = new Map(
    resolvedTests.map(({ key }, index): [Predicate, boolean] => [
      itemAt(relationTests, index),
      getOrThrow(knownResults, key),
    ]),
  );
  return { ...evaluationContext, related: relatedResults };
}

function isOnRows({ fields }: Definition, name: string): boolean {
  const field = fields[name];
  return field !== undefined && isRows(field);
}

interface ResolvedTest {
  /** Tests with equal keys have the same result. */
  readonly key: string;
  /** Tests with equal shapes have the same text. */
  readonly shape: string;
  readonly ids: readonly number[];
  /** The ids are the placeholder of this name. */
  build(idsName: string): RawBuilder<unknown>;
}

/** The company that a record belongs to, or would as its author's. */
function formCompany({ actor }: RequestContext, definition: Definition, values: ResourceRecord): number | null {
  return recordCompany(definition, { site_id: actor.site_id, ...values });
}

function resolveTest(
  scope: RecordScope,
  test: RelatedTest,
  { values, before: storedRecord }: FormValues,
  evaluationContext: EvaluationContext,
): ResolvedTest {
  const { context, definition } = scope;
  const field = definition.fields[test.field];
  const recordContext = { form: values, record: values, ...evaluationContext };
  if (field && isInverse(field)) return resolveInverseTest(scope, test, storedRecord, recordContext);
  const ids = field && isAnyRelation(field) ? idsIn(values[field.name]) : [];
  if (ids.length === 0) return noTest;
  const { registry } = context;
  const target = registry.getOrThrow((field as AnyRelationField).to);
  const isStored = storedRecord !== undefined && String(idsIn(storedRecord[test.field])) === String(ids);
  const filter = allOf([
    expandForDecision(context, target, resolvePredicate(test.of, recordContext)),
    referenceScope(recordCompanyParameter(formCompany(context, definition, values)), target),
    ...(isStored ? [] : [visibleRowsFilter(context, target)]),
  ]);
  return {
    key: `${target.name} ${String(ids)} ${JSON.stringify(filter)}`,
    shape: conditionKey(context, target, filter),
    ids,
    build: (idsName) => {
      const condition = predicateToSql(filter, target, 'chosen', registry, evaluationContext);
      return sql`exists (select from ${sql.id('public', target.table)} chosen
        where chosen.id = any(${new Placeholder(idsName)}::bigint[]) and ${condition})`;
    },
  };
}

const noTest: ResolvedTest = { key: 'none', shape: 'none', ids: [], build: () => sql`false` };

/** A test on the records that point to this one: a new record has none. */
function resolveInverseTest(
  { context, definition }: RecordScope,
  { field, of: condition }: RelatedTest,
  storedRecord: ResourceRecord | undefined,
  evaluationContext: EvaluationContext,
): ResolvedTest {
  const ids = idsIn(storedRecord?.id);
  if (ids.length === 0) return noTest;
  const { registry } = context;
  const filter = expandForDecision(context, definition, {
    kind: 'some',
    field,
    of: resolvePredicate(condition, evaluationContext),
  });
  return {
    key: `${definition.name} ${String(ids)} ${JSON.stringify(filter)}`,
    shape: conditionKey(context, definition, filter),
    ids,
    build: (idsName) => sql`exists (select from ${sql.id('public', definition.table)} here
      where here.id = any(${new Placeholder(idsName)}::bigint[])
        and ${predicateToSql(filter, definition, 'here', registry, context.evaluationContext)})`,
  };
}

/** The ids in a value of a relation; anything else refers to nothing, and is refused elsewhere. */
function idsIn(value: unknown): readonly number[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter(isRecordId);
}

/** Whether a field takes a received file, by its content and size. */
export function takesUpload(field: FieldOf<'image' | 'files'>, upload: Upload): boolean {
  return isFiles(field) ? isAccepted(field, upload) : upload.picture !== undefined;
}

/** The limits of a field of several files. */
type AcceptedFiles = Pick<FieldOf<'files'>, 'label' | 'accept' | 'maxBytes'>;

const isAccepted = ({ accept, maxBytes }: AcceptedFiles, { type, size }: Upload): boolean =>
  isAcceptedKind(type, accept) && size <= maxBytes && size > 0;

/**
 * Checks a received file of a field with several. Throws UnsupportedMediaType, and TooLarge.
 *
 * @example for (const upload of uploads) assertAccepted(field, upload);
 */
export function assertAccepted(field: AcceptedFiles, upload: Upload): void {
  if (isAccepted(field, upload)) return;
  if (upload.size > field.maxBytes)
    throw new TooLarge(
      `“${upload.name}” is too large: a file of ${field.label} has at most ${formatBytes(field.maxBytes)}.`,
    );
  if (upload.size === 0) throw new UnsupportedMediaType(`“${upload.name}” is empty.`);
  throw new UnsupportedMediaType(
    `${field.label} takes ${describeAccepted(field.accept)}: “${upload.name}” is none, by its content.`,
  );
}

/** Checks a received file by its content. Throws UnsupportedMediaType if it is not a picture. */
function assertPicture(field: Field, upload: Upload): void {
  if (!upload.picture) throw new UnsupportedMediaType(imageTypeMessage(field.label));
}
