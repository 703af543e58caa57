import { sql } from 'kysely';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { isStorable } from '../../engine/validation/storable';
import { readableFields } from '../access/readable';
import type { RequestContext } from '../access/request-context';
import { titleSql } from '../conditions/columns';
import { lowered } from '../conditions/text-sql';
import { predicateToSql } from '../conditions/to-sql';
import { choosable } from '../records/choices';

/** A relation's cell: what it says, or the id that it stands for, and the values of the record that its choices may depend on. */
export interface Named {
  readonly field: Field;
  readonly text: string | number;
  readonly form: ResourceRecord;
}

/** What a text names; `none` and `several` where there is no one such. */
export type Found = { readonly id: number; readonly title: string } | 'none' | 'several';

/** Finds records by title, e-mail address or id among those that a field allows, each text once for a whole import. */
export class ReferenceFinder {
  private readonly known = new Map<string, Map<string | number, Found>>();

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
      const known = this.known.get(key) ?? new Map<string | number, Found>();
      this.known.set(key, known);
      const texts = [...new Set(named.map(({ text }) => text))].filter((text) => !known.has(text));
      if (texts.length > 0) await this.look(named[0]!.field, where, texts, known);
    }
    return asked.map(({ text }, index) => this.known.get(keys[index]!)!.get(text) ?? 'none');
  }

  private async look(
    field: Field,
    where: ReturnType<typeof choosable>,
    wanted: readonly (string | number)[],
    known: Map<string | number, Found>,
  ): Promise<void> {
    const { registry, surroundings, program } = this.context;
    const target = registry.need(field.to!);
    const title = titleSql(target, 't', registry);
    const allowed = predicateToSql(where, target, 't', registry, surroundings);
    const named = [title, ...this.addresses(target)].map((one) => sql`${lowered(one)} = ${lowered(sql`w.word`)}`);
    const texts = wanted.filter((one) => typeof one === 'string').filter(isStorable);
    const ids = wanted.filter((one) => typeof one === 'number');
    const { rows } = await sql<{ word: string | null; id: number; title: string | null }>`
      select distinct w.word, t.id, ${title} as title from unnest(${texts}::text[]) as w (word)
      join ${sql.id('public', target.table)} t on ${sql.join(named, sql` or `)} where ${allowed}
      ${ids.length > 0 ? sql`union all select null, t.id, ${title} from ${sql.id('public', target.table)} t where t.id = any(${ids}::integer[]) and ${allowed}` : sql``}`.execute(
      program.database.kysely,
    );
    for (const one of wanted) known.set(one, 'none');
    for (const { word, id, title: called } of rows) {
      const found = { id, title: called ?? `#${id}` };
      known.set(word ?? id, word === null || known.get(word) === 'none' ? found : 'several');
    }
  }

  /** The columns of e-mail addresses that the caller may read. */
  private addresses(target: Definition) {
    const readable = readableFields(this.context.actor, target).always;
    return Object.values(target.fields)
      .filter((field) => field.type === 'email' && readable.has(field.name))
      .map((field) => sql`${sql.id('t', field.name)}`);
  }
}
