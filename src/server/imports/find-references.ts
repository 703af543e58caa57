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
  readonly where: ReturnType<typeof choiceFilter>;
  readonly wanted: readonly (string | number)[];
  /** Receives the results. */
  readonly known: Map<string | number, FoundReference>;
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
  async find(asked: readonly CellReference[], queries: Queries): Promise<FoundReference[]> {
    const groups = new Map<string, { named: CellReference[]; where: ReturnType<typeof choiceFilter> }>();
    const keys = asked.map((named) => {
      const { field, form } = named;
      const where = choiceFilter(this.context, field, field.name === 'site_id' ? undefined : this.company, form);
      const key = `${field.to!}|${JSON.stringify(where)}`;
      const group = groups.get(key) ?? { named: [], where };
      group.named.push(named);
      groups.set(key, group);
      return key;
    });
    const questions = [...groups].flatMap(([key, { named, where }]): ReferenceQuery[] => {
      const known = this.known.get(key) ?? new Map<string | number, FoundReference>();
      this.known.set(key, known);
      const wanted = [...new Set(named.map(({ text }) => text))].filter((text) => !known.has(text));
      return wanted.length > 0
        ? [{ target: this.context.registry.getOrThrow(named[0]!.field.to!), where, wanted, known }]
        : [];
    });
    for (const target of new Set(questions.map((question) => question.target))) {
      const own = questions.filter((question) => question.target === target);
      for (let from = 0; from < own.length; from += maxConditions) {
        await this.queryTarget(target, own.slice(from, from + maxConditions), queries);
      }
    }
    return asked.map(({ text }, index) => this.known.get(keys[index]!)!.get(text) ?? 'none');
  }

  /** Looks up all texts and ids of one target at once, each under its own condition. */
  private async queryTarget(target: Definition, questions: readonly ReferenceQuery[], queries: Queries): Promise<void> {
    const { registry, evaluationContext } = this.context;
    const title = titleSql(target, 't', registry);
    const table = sql`${sql.id('public', target.table)} t`;
    const named = [title, ...this.emailColumns(target)].map((one) => sql`${lowerSql(one)} = ${lowerSql(sql`w.word`)}`);
    const parts = questions.flatMap(({ where, wanted }, index) => {
      const allowed = predicateToSql(where, target, 't', registry, evaluationContext);
      const texts = wanted.filter((one) => typeof one === 'string').filter(isStorable);
      const ids = wanted.filter((one) => typeof one === 'number');
      const byText = sql`select distinct ${sql.lit(index)}::integer as question, w.word, t.id, ${title} as title
        from unnest(${texts}::text[]) as w (word) join ${table} on ${sql.join(named, sql` or `)} where ${allowed}`;
      const byId = sql`select ${sql.lit(index)}::integer, null, t.id, ${title} from ${table}
        where t.id = any(${ids}::integer[]) and ${allowed}`;
      return [...(texts.length > 0 ? [byText] : []), ...(ids.length > 0 ? [byId] : [])];
    });
    for (const { wanted, known } of questions) for (const one of wanted) known.set(one, 'none');
    if (parts.length === 0) return;
    const { rows } = await sql<FoundRow>`select question::integer, word::text, id::integer, title::text
      from (${sql.join(parts, sql` union all `)}) as found (question, word, id, title)`.execute(queries);
    for (const { question, word, id, title: called } of rows) {
      const { known } = questions[question]!;
      const found = { id, title: called ?? `#${id}` };
      known.set(word ?? id, word === null || known.get(word) === 'none' ? found : 'several');
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
