import { sql, type RawBuilder } from 'kysely';
import { decideAccess } from '../../engine/access/access-decision';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { templateFields } from '../../engine/definitions/labels';
import { readableFields } from '../access/readable-fields';
import type { RequestContext } from '../access/request-context';
import { visibleTitleSql } from '../sql/operands';
import { textSql } from '../sql/compare-sql';
import { columnTypeOf } from '../../engine/field-types';
import type { Row } from '../database/database';

/** The details shown beside a record's title. */
export interface ChoiceDetail {
  readonly fields: readonly { readonly field: Field; readonly text: (alias: string) => RawBuilder<unknown> }[];
  /** Shown for every record, not only for those with the same title. */
  readonly alwaysShown: boolean;
}

/**
 * The fields that tell records of `target` apart for a caller: those named by its definition that the caller may read,
 * without those that are `same` for all choices. A caller without a grant on the target sees only what records embed of
 * it (`embedded`).
 */
export function choiceDetailOf(
  context: RequestContext,
  target: Definition,
  { same = [], embedded = [] }: { same?: readonly string[]; embedded?: readonly string[] } = {},
): ChoiceDetail {
  const { actor } = context;
  const readable = readableFields(actor, target).always;
  const listed = decideAccess(actor, target, 'list').allowed;
  const { detail, always } = target.choices;
  const names = detail.filter((name) => {
    return name === 'id' || (readable.has(name) && !same.includes(name) && (listed || embedded.includes(name)));
  });
  const fields = (names.length > 0 ? names : ['id']).flatMap((name) => {
    const field = target.fields[name]!;
    const text = fieldText(context, field);
    return text ? [{ field, text }] : [];
  });
  return { fields, alwaysShown: always };
}

/** A field's value as text; for a relation, the title of the related record if the caller may read it. */
function fieldText(context: RequestContext, field: Field): ((alias: string) => RawBuilder<unknown>) | undefined {
  if (field.type !== 'relation') {
    const type = columnTypeOf(field)!;
    return (alias) => textSql({ sql: sql.id(alias, field.name), type });
  }
  const to = context.registry.getOrThrow(field.to!);
  const readable = readableFields(context.actor, to, 'view').always;
  const isOpen = templateFields(to.recordTitle).every((path) => {
    const [name] = path.split('.') as [string];
    return readable.has(name) || Object.values(to.fields).some((one) => one.embed === name && readable.has(one.name));
  });
  if (!isOpen) return undefined;
  return (alias) => sql`(select coalesce(${visibleTitleSql(context.actor, to, 'd', context.registry)}, '#' || d.id)
    from ${sql.id('public', to.table)} d where d.id = ${sql.id(alias, field.name)})`;
}

/** The detail texts of the row `alias`, as an array. */
export function detailSql({ fields }: ChoiceDetail, alias: string): RawBuilder<unknown> {
  return sql`array[${sql.join(fields.map(({ text }) => text(alias)))}]::text[]`;
}

/** Formats choices with their details as one text, adding the id where choices would still look the same. */
export function formatChoices(rows: readonly Row[], { fields, alwaysShown }: ChoiceDetail): ResourceRecord[] {
  const choices = rows.map(({ id, title, near, detail }) => ({
    id: id as number,
    title: title as string,
    ...(near !== null && { near }),
    detail: detail === null ? undefined : formatDetail(fields, detail as (string | null)[]),
  }));
  const isNumbered = fields.some(({ field }) => field.name === 'id');
  const seen = new Map<string, number>();
  const keyOf = ({ title, detail }: (typeof choices)[number]) => `${title.toLowerCase().replace(/\s/g, '')}\0${detail}`;
  for (const one of choices) seen.set(keyOf(one), (seen.get(keyOf(one)) ?? 0) + 1);
  return choices.map(({ detail, ...choice }) => {
    if (detail === undefined) return choice;
    const isUnique = isNumbered || (seen.get(keyOf({ ...choice, detail })) === 1 && (alwaysShown || detail !== ''));
    const text = isUnique ? detail : [detail, `#${choice.id}`].filter(Boolean).join(' · ');
    return text === '' ? choice : { ...choice, detail: text };
  });
}

function formatDetail(fields: ChoiceDetail['fields'], values: readonly (string | null)[]): string {
  const texts = values.map((value, index) => {
    if (value === null || value === '') return '';
    const { field } = fields[index]!;
    if (field.name === 'id') return `#${value}`;
    return field.options?.find((option) => String(option.value) === value)?.label ?? value;
  });
  return texts.filter((text) => text !== '').join(' · ');
}
