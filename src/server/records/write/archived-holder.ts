import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import { isGranted } from '../../../engine/access/access-decision';
import { joinNames } from '../../../engine/formats/join-names';
import { predicateOf } from '../../../engine/conditions/match-condition';
import { truePredicate } from '../../../engine/conditions/variables';
import type { Definition, Field, UniqueRule } from '../../../engine/definitions/definition';
import { columnTypeOf, storedTypeOf } from '../../../engine/field-types';
import { allOf, archiveFilter, notDeletedFilter, visibleRowsFilter } from '../../access/access-filter';
import type { RecordScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { visibleTitleSql } from '../../sql/operands';
import { hasCompanyKey } from '../../sql/same-company';
import { fieldOf } from '../../../engine/definitions/accessors';

/** A record in the archive that has the values that another one is to have alone. */
export interface ArchivedHolder {
  readonly id: number;
  readonly title: string;
  /** Whether it was archived itself, and not only with what it is part of. */
  readonly isArchived: boolean;
}

/**
 * The holder of unique values as JSON, if the row `t` is in the archive and the caller may view it; otherwise null: who
 * may not view a record does not learn which one has the value.
 */
export function archivedHolderSql(context: RequestContext, definition: Definition): RawBuilder<ArchivedHolder | null> {
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
export function holderSentence(
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
  const ofCompany = hasCompanyKey(definition) && keys.startsWith('site_id, ');
  const isWithin = ofCompany || keys.startsWith('COALESCE(');
  const columns = fields.map((name) => fieldOf(definition, name));
  const parts = splitValues(values, [...(isWithin ? [false] : []), ...columns.map(isText)]);
  if (!parts) return '';
  const scopeColumn = ofCompany
    ? 'site_id'
    : isWithin
      ? /^COALESCE\("?(\w+)"?, \(?0\)?(?:::bigint)?\)/.exec(keys)?.[1]
      : undefined;
  if (isWithin && (scopeColumn === undefined || !Object.hasOwn(definition.fields, scopeColumn))) return '';
  const fieldValues = isWithin ? parts.slice(1) : parts;
  const tests = [
    ...(ofCompany ? [sql`t.site_id = ${parts[0]}::bigint`] : []),
    ...(scopeColumn === undefined || ofCompany
      ? []
      : [sql`coalesce(${sql.id('t', scopeColumn)}, 0) = ${parts[0]}::bigint`]),
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
