import { sql } from 'kysely';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { isStorable } from '../../engine/validation/storable';
import { readableFields } from '../access/readable';
import type { RequestContext } from '../access/request-context';
import { titleSql } from '../conditions/columns';
import { lowered } from '../conditions/text-sql';
import { predicateToSql } from '../conditions/to-sql';
import { choosable } from '../records/choices';

/** A relation's cell: what it says, and the values of the record that its choices may depend on. */
export interface Named {
  readonly field: Field;
  readonly text: string;
  readonly form: ResourceRecord;
}

/** The id of what a text names; `none` and `several` where there is no one such. */
export type Found = number | 'none' | 'several';

/** Finds records by title or e-mail address among those that a field allows, each text once for a whole import. */
export class ReferenceFinder {
  private readonly known = new Map<string, Map<string, Found>>();

  constructor(
    private readonly context: RequestContext,
    private readonly company: number | null | undefined,
  ) {}

  /** Looks all of them up, with one query for each field and set of choices. */
  async find(asked: readonly Named[]): Promise<Found[]> {
    const groups = new Map<string, { named: Named[]; where: ReturnType<typeof choosable> }>();
    const keys = asked.map((named) => {
      const { field, form } = named;
      const where = choosable(this.context, field, field.name === 'site_id' ? undefined : this.company, form);
      const key = `${field.name}|${JSON.stringify(where)}`;
      const group = groups.get(key) ?? { named: [], where };
      group.named.push(named);
      groups.set(key, group);
      return key;
    });
    for (const [key, { named, where }] of groups) {
      const known = this.known.get(key) ?? new Map<string, Found>();
      this.known.set(key, known);
      const texts = [...new Set(named.map(({ text }) => text))].filter((text) => !known.has(text));
      if (texts.length > 0) await this.look(named[0]!.field, where, texts, known);
    }
    return asked.map(({ text }, index) => this.known.get(keys[index]!)!.get(text) ?? 'none');
  }

  private async look(
    field: Field,
    where: ReturnType<typeof choosable>,
    texts: readonly string[],
    known: Map<string, Found>,
  ): Promise<void> {
    const { registry, surroundings, program } = this.context;
    const target = registry.need(field.to!);
    const title = titleSql(target, 't', registry);
    const allowed = predicateToSql(where, target, 't', registry, surroundings);
    const named = [title, ...this.addresses(target)].map((one) => sql`${lowered(one)} = ${lowered(sql`w.word`)}`);
    const { rows } = await sql<{ word: string; id: number }>`
      select distinct w.word, t.id from unnest(${texts.filter(isStorable)}::text[]) as w (word)
      join ${sql.id('public', target.table)} t on ${sql.join(named, sql` or `)} where ${allowed}`.execute(
      program.database.kysely,
    );
    for (const text of texts) known.set(text, 'none');
    for (const { word, id } of rows) known.set(word, known.get(word) === 'none' ? id : 'several');
  }

  /** The columns of e-mail addresses that the caller may read. */
  private addresses(target: Definition) {
    const readable = readableFields(this.context.actor, target).always;
    return Object.values(target.fields)
      .filter((field) => field.type === 'email' && readable.has(field.name))
      .map((field) => sql`${sql.id('t', field.name)}`);
  }
}
