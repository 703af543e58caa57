import { sql, type RawBuilder } from 'kysely';
import { decide } from '../../engine/access/decide';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { templateFields } from '../../engine/definitions/labels';
import { readableFields } from '../access/readable';
import type { RequestContext } from '../access/request-context';
import { knownTitleSql } from '../conditions/columns';
import { asText } from '../conditions/compare-sql';
import { columnOf } from '../../engine/field-types';
import type { Row } from '../database/database';

/** What is said of a record beside its title. */
export interface Told {
  readonly fields: readonly { readonly field: Field; readonly text: (alias: string) => RawBuilder<unknown> }[];
  /** Of every record, not of those alone whose titles are alike. */
  readonly always: boolean;
}

/**
 * What tells records of `target` apart for a caller: the fields that its definition names, as far as the caller may read
 * them, without those that are the same for all that is offered. Whoever has no grant on the target reads of it what
 * records embed: `embedded`.
 */
export function toldOf(
  context: RequestContext,
  target: Definition,
  { same = [], embedded = [] }: { same?: readonly string[]; embedded?: readonly string[] } = {},
): Told {
  const { actor } = context;
  const readable = readableFields(actor, target).always;
  const listed = decide(actor, target, 'list').allowed;
  const { detail, always } = target.choices;
  const names = detail.filter((name) => {
    return name === 'id' || (readable.has(name) && !same.includes(name) && (listed || embedded.includes(name)));
  });
  const fields = (names.length > 0 ? names : ['id']).flatMap((name) => {
    const field = target.fields[name]!;
    const text = textOf(context, field);
    return text ? [{ field, text }] : [];
  });
  return { fields, always };
}

/** A field's value as text; of a relation the title of what it leads to, where the caller may read that. */
function textOf(context: RequestContext, field: Field): ((alias: string) => RawBuilder<unknown>) | undefined {
  if (field.type !== 'relation') {
    const type = columnOf(field)!;
    return (alias) => asText({ sql: sql.id(alias, field.name), type });
  }
  const to = context.registry.need(field.to!);
  const readable = readableFields(context.actor, to, 'view').always;
  const isOpen = templateFields(to.recordTitle).every((path) => {
    const [name] = path.split('.') as [string];
    return readable.has(name) || Object.values(to.fields).some((one) => one.embed === name && readable.has(one.name));
  });
  if (!isOpen) return undefined;
  return (alias) => sql`(select coalesce(${knownTitleSql(context.actor, to, 'd', context.registry)}, '#' || d.id)
    from ${sql.id('public', to.table)} d where d.id = ${sql.id(alias, field.name)})`;
}

/** The texts of the row `alias`, an array. */
export function detailSql({ fields }: Told, alias: string): RawBuilder<unknown> {
  return sql`array[${sql.join(fields.map(({ text }) => text(alias)))}]::text[]`;
}

/** The rows with their details as one text; of those that are still alike the number is told. */
export function detailOf(rows: readonly Row[], { fields, always }: Told): ResourceRecord[] {
  const made = rows.map(({ id, title, near, detail }) => ({
    id: id as number,
    title: title as string,
    ...(near !== null && { near }),
    detail: detail === null ? undefined : said(fields, detail as (string | null)[]),
  }));
  const isNumbered = fields.some(({ field }) => field.name === 'id');
  const seen = new Map<string, number>();
  const keyOf = ({ title, detail }: (typeof made)[number]) => `${title.toLowerCase().replace(/\s/g, '')}\0${detail}`;
  for (const one of made) seen.set(keyOf(one), (seen.get(keyOf(one)) ?? 0) + 1);
  return made.map(({ detail, ...choice }) => {
    if (detail === undefined) return choice;
    const isTold = isNumbered || (seen.get(keyOf({ ...choice, detail })) === 1 && (always || detail !== ''));
    const text = isTold ? detail : [detail, `#${choice.id}`].filter(Boolean).join(' · ');
    return text === '' ? choice : { ...choice, detail: text };
  });
}

function said(fields: Told['fields'], values: readonly (string | null)[]): string {
  const texts = values.map((value, index) => {
    if (value === null || value === '') return '';
    const { field } = fields[index]!;
    if (field.name === 'id') return `#${value}`;
    return field.options?.find((option) => String(option.value) === value)?.label ?? value;
  });
  return texts.filter((text) => text !== '').join(' · ');
}
