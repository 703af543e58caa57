import { sql, type RawBuilder } from 'kysely';
import type { Definition, Field } from '../../engine/definitions/definition';
import { templateFields } from '../../engine/definitions/labels';
import type { Registry } from '../../engine/definitions/registry';
import { columnOf, typeOf } from '../../engine/field-types';
import { operandOf } from './columns';
import { asText, no, patternOf, type Bool } from './compare-sql';
import { literal, lowered } from './text-sql';

/** The fields that `q` looks into: the title's and the searchable ones, as far as the table keeps them. */
export function searchedFields(definition: Definition): Field[] {
  const title = templateFields(definition.recordTitle);
  return Object.values(definition.fields).filter((field) => {
    if (field.secret) return false;
    if (typeof field.computed === 'string') return field.searchable && isIndexable(definition, field.computed);
    return columnOf(field) === 'text' && (field.searchable || title.includes(field.name));
  });
}

/** Whether a template's text depends on the row alone, and on nothing that the session's settings change. */
function isIndexable(definition: Definition, template: string): boolean {
  return templateFields(template).every((path) => {
    const field = definition.fields[path];
    const column = field && columnOf(field);
    return column === 'text' || column === 'integer' || column === 'double precision';
  });
}

/**
 * The one text that `q` is looked for in, in small letters; undefined where there is nothing to search. The trigram
 * index is on exactly this expression. `readable` leaves out fields (and with them the index's help).
 */
export function searchSql(
  definition: Definition,
  alias: string,
  registry: Registry,
  readable?: ReadonlySet<string>,
): RawBuilder<unknown> | undefined {
  const fields = searchedFields(definition).filter((field) => readable?.has(field.name) ?? true);
  if (fields.length === 0) return undefined;
  const texts = fields.map((field) => {
    const operand = operandOf(definition, field, alias, registry)!;
    const text = sql`coalesce(${asText(operand)}, '')`;
    return typeOf(field).markup ? withoutMarkup(text) : text;
  });
  return lowered(sql.join(texts, sql` || ${literal('\n')} || `));
}

/** What a reader sees of formatted text: a word stays one where only part of it is bold. */
function withoutMarkup(text: RawBuilder<unknown>): RawBuilder<unknown> {
  const words = sql`regexp_replace(${text}, '</?(a|b|code|em|i|mark|s|span|strong|sub|sup|u)( [^>]*)?>', '', 'gi')`;
  const lines = sql`regexp_replace(${words}, '(<[^>]*>|&nbsp;|[[:space:]])+', ' ', 'g')`;
  return sql`replace(replace(replace(${lines}, '&lt;', '<'), '&gt;', '>'), '&amp;', '&')`;
}

/** Whether the row holds the text somewhere, in any case of letters. */
export function searchCondition(
  definition: Definition,
  alias: string,
  registry: Registry,
  text: string,
  readable?: ReadonlySet<string>,
): Bool {
  const searched = searchSql(definition, alias, registry, readable);
  if (!searched || text.includes('\0')) return no;
  return sql`${searched} like ${patternOf(text)}::text`;
}
