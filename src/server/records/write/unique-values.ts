import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import { matchesCondition, predicateOf } from '../../../engine/conditions/match-condition';
import type { Field, ResourceRecord, UniqueRule, Definition } from '../../../engine/definitions/definition';
import { columnTypeOf, storedTypeOf } from '../../../engine/field-types/index';
import { isEmpty } from '../../../engine/values/is-empty';
import { repeatedMessage } from '../../../engine/validation/messages';
import { allOf, companyScope, notDeletedFilter, archiveFilter, visibleRowsFilter } from '../../access/access-filter';
import type { Transaction } from '../../database/database';
import { predicateToSql } from '../../sql/predicate-to-sql';
import type { BatchState, RecordWrite, Step, Write } from './record-write';
import { recordCompany } from './references';
import { isGranted } from '../../../engine/access/access-decision';
import { joinNames } from '../../../engine/formats/join-names';
import { truePredicate } from '../../../engine/conditions/variables';
import type { RecordScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { visibleTitleSql } from '../../sql/operands';
import { fieldOf } from '../../../engine/definitions/accessors';

/** A record in the archive that has the values that another one is to have alone. */
interface ArchivedHolder {
  readonly id: number;
  readonly title: string;
  /** Whether it was archived itself, and not only with what it is part of. */
  readonly isArchived: boolean;
}

/**
 * The holder of unique values as JSON, if the row `t` is in the archive and the caller may view it; otherwise null: who
 * may not view a record does not learn which one has the value.
 */
function archivedHolderSql(context: RequestContext, definition: Definition): RawBuilder<ArchivedHolder | null> {
  const { actor, registry, evaluationContext } = context;
  const active = archiveFilter(registry, definition);
  if (active === truePredicate) return sql`null::json`;
  if (!isGranted(actor, definition.name, 'view')) return sql`null::json`;
  const toSql = (filter: typeof active) => predicateToSql(filter, definition, 't', registry, evaluationContext);
  const isArchived = definition.archive ? sql`t.archived_at is not null` : sql`false`;
  return sql`case when (${toSql(active)}) is not true and ${toSql(visibleRowsFilter(context, definition))}
    then json_build_object('id', t.id, 'isArchived', ${isArchived},
      'title', coalesce(${visibleTitleSql(actor, definition, 't', registry)}::text, '')) end`;
}

/** Says which record in the archive has the values of some fields, and the way out; empty without one. */
function holderSentence(
  { context: { actor }, definition }: RecordScope,
  names: readonly string[],
  holder: ArchivedHolder | null,
): string {
  if (!holder) return '';
  const recordLabel = definition.labels.one.toLowerCase();
  const { id, title, isArchived } = holder;
  const name = title === '' ? `#${id}` : `“${title}” (#${id})`;
  const advice = `choose another ${joinNames(
    names.map((field) => fieldOf(definition, field).label.toLowerCase()),
    'or',
  )}`;
  if (!isArchived)
    return ` The ${recordLabel} ${name}, which is in the archive with what it belongs to, has it: ${advice}.`;
  const mayRestore = isGranted(actor, definition.name, 'edit');
  return ` The archived ${recordLabel} ${name} has it: ${mayRestore ? `restore it, or ${advice}` : advice}.`;
}

/**
 * Finds what a unique index refused, by the values that PostgreSQL names in the detail of its error, and says which
 * record in the archive has them. Empty where these values cannot be told apart.
 */
export async function explainTaken(
  { context, definition }: RecordScope,
  { fields, where: condition }: UniqueRule,
  detail: string,
  queries: QueryExecutorProvider = context.program.database.root.kysely,
): Promise<string> {
  const [, keys = '', values = ''] = /^Key \((.*)\)=\((.*)\) already exists\.$/s.exec(detail) ?? [];
  const isWithin = keys.startsWith('COALESCE(');
  const columns = fields.map((name) => fieldOf(definition, name));
  const parts = splitValues(values, [...(isWithin ? [false] : []), ...columns.map(isText)]);
  if (!parts) return '';
  const scopeColumn = isWithin ? /^COALESCE\("?(\w+)"?, 0\)/.exec(keys)?.[1] : undefined;
  if (isWithin && (scopeColumn === undefined || !Object.hasOwn(definition.fields, scopeColumn))) return '';
  const fieldValues = isWithin ? parts.slice(1) : parts;
  const tests = [
    ...(scopeColumn === undefined ? [] : [sql`coalesce(${sql.id('t', scopeColumn)}, 0) = ${parts[0]}::integer`]),
    ...columns.map((field, index) =>
      isText(field)
        ? sql`lower(${sql.id('t', field.name)}) = ${fieldValues[index]}::text`
        : sql`${sql.id('t', field.name)} = ${fieldValues[index]}::${sql.raw(storedTypeOf(field))}`,
    ),
    predicateToSql(
      allOf([notDeletedFilter(definition), ...(condition ? [predicateOf(condition)] : [])]),
      definition,
      't',
      context.registry,
      null,
    ),
  ];
  const { rows } = await sql<{
    holder: ArchivedHolder | null;
  }>`select ${archivedHolderSql(context, definition)} as holder
    from ${sql.id('public', definition.table)} t where ${sql.join(tests, sql` and `)}
    limit 1`.execute(queries);
  return holderSentence({ context, definition }, fields, rows[0]?.holder ?? null);
}

const isText = (field: Field) => columnTypeOf(field) === 'text';

/** Values that are separated by commas, of which texts may have some themselves; undefined if they cannot be told apart. */
function splitValues(values: string, texts: readonly boolean[]): string[] | undefined {
  const parts = values.split(', ');
  const surplus = parts.length - texts.length;
  if (surplus === 0) return parts;
  const textIndex = texts.indexOf(true);
  if (surplus < 0 || textIndex < 0 || textIndex !== texts.lastIndexOf(true)) return undefined;
  return [
    ...parts.slice(0, textIndex),
    parts.slice(textIndex, textIndex + surplus + 1).join(', '),
    ...parts.slice(textIndex + surplus + 1),
  ];
}

/**
 * Adds errors for values of many new records that must be unique: by record, where the index would only name the first of
 * them. Of a single record, and of changes, the index itself says so when they are stored.
 */
export const checkUniqueValues: Step = async (write, records) => {
  const { definition, batch, trx } = write;
  if (!batch || !trx || records[0]?.before) return records;
  // The errors are added to copies.
  const checked = records.map((record) => ({ ...record, errors: { ...record.errors } }));
  for (const field of Object.values(definition.fields))
    if (field.unique) await checkField(write, field, checked, batch, trx);
  for (const rule of definition.unique) await checkCombination(write, rule, checked, batch, trx);
  return checked;
};

/**
 * Values of a field: neither stored already nor repeated among these records. Values of other companies are only found
 * while storing: who can't see them must not be able to probe for many at once.
 */
async function checkField(
  write: Write,
  field: Field,
  prepared: readonly RecordWrite[],
  state: BatchState,
  trx: Transaction,
): Promise<void> {
  const { context, definition } = write;
  const { registry, actor } = context;
  const keyOf = ({ values }: RecordWrite) => {
    const company = field.unique === 'company' ? recordCompany(definition, values) : null;
    return [field.name, company, String(values[field.name]).toLowerCase()].join('\n');
  };
  const checked = prepared.filter(({ values, errors }) => !errors[field.name] && !isEmpty(values[field.name]));
  if (checked.length === 0) return;
  const texts = checked.map(({ values }) => String(values[field.name]));
  const column = sql.id('t', field.name);
  const { rows } = await sql<{ value: string; site_id: number | null; holder: ArchivedHolder | null }>`
    select lower(${column}::text) as value, ${'site_id' in definition.fields ? sql.id('t', 'site_id') : sql`null`} as site_id,
      ${archivedHolderSql(context, definition)} as holder
    from ${sql.id('public', definition.table)} t
    where lower(${column}::text) = any(select lower(one) from unnest(${texts}::text[]) one)
      and ${predicateToSql(allOf([companyScope(actor, definition), notDeletedFilter(definition)]), definition, 't', registry, null)}`.execute(
    trx,
  );
  const storedHolders = new Map(
    rows.map((row) => [
      [field.name, field.unique === 'company' ? row.site_id : null, row.value].join('\n'),
      row.holder,
    ]),
  );
  for (const candidate of checked) {
    const key = keyOf(candidate);
    if (storedHolders.has(key) || state.takenValues.has(key))
      candidate.errors[field.name] =
        `${field.label} is already taken.${holderSentence(write, [field.name], storedHolders.get(key) ?? null)}`;
    else if (Object.keys(candidate.errors).length === 0) state.takenValues.add(key);
  }
}

/** As `checkField`, for a unique combination of fields. */
async function checkCombination(
  write: Write,
  rule: UniqueRule,
  prepared: readonly RecordWrite[],
  state: BatchState,
  trx: Transaction,
): Promise<void> {
  const { context, definition } = write;
  const { registry, actor, evaluationContext } = context;
  const { where: condition, fields } = rule;
  const checked = prepared.filter(
    ({ values, errors }) =>
      fields.every((name) => !errors[name] && !isEmpty(values[name])) &&
      (!condition || matchesCondition(condition, values, evaluationContext)),
  );
  if (checked.length === 0) return;
  const companyOf = (values: ResourceRecord) =>
    'site_id' in definition.fields ? recordCompany(definition, values) : null;
  const columns = fields.map((name, index) => {
    const columnType = columnTypeOf(definition.fields[name]!)!;
    const [column, sentValue] = [sql.id('t', name), sql.id('sent', `value${index}`)];
    return columnType === 'text'
      ? sql`lower(${column}) = lower(${sentValue})`
      : sql`${column} = ${sentValue}::${sql.raw(columnType)}`;
  });
  const sentColumns = fields.map((name) => sql`${checked.map(({ values }) => String(values[name]))}::text[]`);
  const names = ['company', ...fields.map((_, index) => `value${index}`), 'position'].map((name) => sql.id(name));
  const visible = allOf([companyScope(actor, definition), notDeletedFilter(definition)]);
  const { rows } = await sql<{
    position: number;
    holder: ArchivedHolder | null;
  }>`select sent.position::integer as position,
      ${archivedHolderSql(context, definition)} as holder
    from unnest(${checked.map(({ values }) => companyOf(values))}::integer[], ${sql.join(sentColumns)}) with ordinality sent (${sql.join(names)})
    join ${sql.id('public', definition.table)} t on ${sql.join(columns, sql` and `)}
      ${'site_id' in definition.fields ? sql`and t.site_id is not distinct from sent.company` : sql``}
    where ${predicateToSql(visible, definition, 't', registry, null)}
      and ${condition ? predicateToSql(predicateOf(condition), definition, 't', registry, null) : sql`true`}`.execute(
    trx,
  );
  const storedHolders = new Map(rows.map(({ position, holder }) => [position - 1, holder]));
  checked.forEach(({ values, errors }, index) => {
    const parts = fields.map((name) => String(values[name]).toLowerCase());
    const key = [JSON.stringify(rule), companyOf(values), ...parts].join('\n');
    if (storedHolders.has(index) || state.takenValues.has(key))
      errors[fields[0]!] =
        repeatedMessage(definition, rule) + holderSentence(write, fields, storedHolders.get(index) ?? null);
    else if (Object.keys(errors).length === 0) state.takenValues.add(key);
  });
}
