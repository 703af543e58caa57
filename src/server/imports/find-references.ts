import { sql } from 'kysely';
import type { AnyRelationField, Definition, ResourceRecord } from '../../engine/definitions/definition';
import { isStorable } from '../../engine/values/storable';
import { fieldTypeOf } from '../../engine/field-types';
import { readableFields } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import type { Queries } from '../database/database';
import { titleSql, lowerSql } from '../sql/operands';
import { predicateToSql } from '../sql/predicate-to-sql';
import { choiceFilter } from '../records/write/references';
import { firstOf, getOrThrow, itemAt } from '../../engine/values/lookups';

/** The text or id of a relation's cell, and the values of the record that its choices may depend on. */
export interface CellReference {
  readonly field: AnyRelationField;
  readonly text: string | number;
  readonly form: ResourceRecord;
}

/** The record that a text refers to; `none` or `several` if there is not exactly one. */
export type FoundReference = { readonly id: number; readonly title: string } | 'none' | 'several';

/** Maximum number of conditions on one target per statement. */
const maxConditions = 100;

/** Texts and ids to look up under one condition. */
interface ReferenceQuery {
  readonly target: Definition;
  readonly condition: ReturnType<typeof choiceFilter>;
  readonly searchKeys: readonly (string | number)[];
  /** Receives the results. */
  readonly references: Map<string | number, FoundReference>;
}

interface FoundRow {
  readonly question: number;
  readonly word: string | null;
  readonly id: number;
  readonly title: string | null;
}

/** Finds records by title, email address or id among those that a field allows; each text only once per import. */
export class ReferenceFinder {
  private readonly known = new Map<string, Map<string | number, FoundReference>>();

  constructor(
    private readonly context: RequestContext,
    private readonly company: number | null | undefined,
  ) {}

  /** Forgets what was looked up within a transaction that was undone. */
  clear(): void {
    this.known.clear();
  }

  /** Looks up all of them with one statement per target. */
  async find(cellReferences: readonly CellReference[], queries: Queries): Promise<FoundReference[]> {
    const groups = new Map<string, { references: CellReference[]; condition: ReturnType<typeof choiceFilter> }>();
    const keys = cellReferences.map((reference) => {
      const { field, form } = reference;
      const condition = choiceFilter(this.context, field, field.name === 'site_id' ? undefined : this.company, form);
      const key = `${field.to}|${JSON.stringify(condition)}`;
      const group = groups.get(key) ?? { references: [], condition };
      group.references.push(reference);
      groups.set(key, group);
      return key;
    });
    const questions = [...groups].flatMap(([key, { references, condition }]): ReferenceQuery[] => {
      const resolvedReferences = this.known.get(key) ?? new Map<string | number, FoundReference>();
      this.known.set(key, resolvedReferences);
      const searchKeys = [...new Set(references.map(({ text }) => text))].filter(
        (text) => !resolvedReferences.has(text),
      );
      return searchKeys.length > 0
        ? [
            {
              target: this.context.registry.getOrThrow(firstOf(references).field.to),
              condition,
              searchKeys,
              references: resolvedReferences,
            },
          ]
        : [];
    });
    for (const target of new Set(questions.map((question) => question.target))) {
      const targetQueries = questions.filter((question) => question.target === target);
      for (let offset = 0; offset < targetQueries.length; offset += maxConditions) {
        await this.queryTarget(target, targetQueries.slice(offset, offset + maxConditions), queries);
      }
    }
    return cellReferences.map(({ text }, index) => getOrThrow(this.known, itemAt(keys, index)).get(text) ?? 'none');
  }

  /** Looks up all texts and ids of one target at once, each under its own condition. */
  private async queryTarget(target: Definition, questions: readonly ReferenceQuery[], queries: Queries): Promise<void> {
    const { registry, evaluationContext } = this.context;
    const title = titleSql(target, 't', registry);
    const table = sql`${sql.id('public', target.table)} t`;
    const nameConditions = [title, ...this.emailColumns(target)].map(
      (column) => sql`${lowerSql(column)} = ${lowerSql(sql`w.word`)}`,
    );
    const parts = questions.flatMap(({ condition, searchKeys }, index) => {
      const choosable = predicateToSql(condition, target, 't', registry, evaluationContext);
      const texts = searchKeys.filter((searchKey) => typeof searchKey === 'string').filter(isStorable);
      const ids = searchKeys.filter((searchKey) => typeof searchKey === 'number');
      const byText = sql`select distinct ${sql.lit(index)}::integer as question, w.word, t.id, ${title} as title
        from unnest(${texts}::text[]) as w (word) join ${table} on ${sql.join(nameConditions, sql` or `)} where ${choosable}`;
      const byId = sql`select ${sql.lit(index)}::integer, null, t.id, ${title} from ${table}
        where t.id = any(${ids}::bigint[]) and ${choosable}`;
      return [...(texts.length > 0 ? [byText] : []), ...(ids.length > 0 ? [byId] : [])];
    });
    for (const { searchKeys, references } of questions)
      for (const searchKey of searchKeys) references.set(searchKey, 'none');
    if (parts.length === 0) return;
    const { rows } = await sql<FoundRow>`select question::integer, word::text, id::bigint, title::text
      from (${sql.join(parts, sql` union all `)}) as found (question, word, id, title)`.execute(queries);
    for (const { question, word, id, title: storedTitle } of rows) {
      const { references } = itemAt(questions, question);
      const foundRecord = { id, title: storedTitle ?? `#${id}` };
      references.set(word ?? id, word === null || references.get(word) === 'none' ? foundRecord : 'several');
    }
  }

  /** The columns of email addresses that the caller may read. */
  private emailColumns(target: Definition) {
    const readable = readableFields(this.context.actor, target).always;
    return Object.values(target.fields)
      .filter((field) => fieldTypeOf(field).schema(field).format === 'email' && readable.has(field.name))
      .map((field) => sql`${sql.id('t', field.name)}`);
  }
}
