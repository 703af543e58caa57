import { sql } from 'kysely';
import { matchesCondition, predicateOf } from '../../../engine/conditions/match-condition';
import type { Field, ResourceRecord, UniqueRule } from '../../../engine/definitions/definition';
import { columnTypeOf } from '../../../engine/field-types';
import { isEmpty } from '../../../engine/values/is-empty';
import { repeatedMessage } from '../../../engine/validation/messages';
import { allOf, companyScope, notDeletedFilter } from '../../access/access-filter';
import type { Transaction } from '../../database/database';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { type ArchivedHolder, archivedHolderSql, holderSentence } from './archived-holder';
import { type BatchState, type RecordWrite, type Step, type Write } from './record-write';
import { recordCompany } from './references';

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
    from unnest(${checked.map(({ values }) => companyOf(values))}::bigint[], ${sql.join(sentColumns)}) with ordinality sent (${sql.join(names)})
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
