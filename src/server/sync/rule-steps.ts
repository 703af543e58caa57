import { sql, type RawBuilder } from 'kysely';
import type { Definition, Field } from '../../engine/definitions/definition';
import { joinPointer } from '../../engine/definitions/problems';
import { columnTypeOf } from '../../engine/field-types';
import type { PlanStep } from '../../engine/studio/module';
import type { RowQueries } from './row-queries';
import { conversion } from './conversion';
import { quoteIdentifier, qualifiedTable } from './schema-object';
import type { StoredTable } from './plan-renames';
import { stricterOrder, stricterPresence, type RuleContext } from './record-rules';
import { stricterValues, type FieldRule } from './value-rules';

/** A rule checked against stored rows, and its path in the definition. */
export interface RuleStep {
  readonly path: string;
  readonly step: PlanStep;
}

interface CountedRule {
  readonly rule: FieldRule;
  readonly path: string;
  /** The rows to count in, as an SQL `from` item. */
  readonly from: string;
  /** Reported even if no row violates it. */
  readonly always: boolean;
}

/**
 * The rules of a definition that are new or stricter than before, with the stored rows that violate them. Archived rows
 * count, since they can be restored; deleted rows that are kept for their name do not.
 */
export async function planRuleSteps(
  before: Definition | undefined,
  place: RuleContext,
  stored: StoredTable,
  rowQueries: RowQueries,
): Promise<RuleStep[]> {
  const { definition } = place;
  const rules = Object.values(definition.fields).flatMap((field) => stricterRules(field, before, place, stored));
  if (rules.length === 0) return [];
  const where = (from: string) => (from === place.from ? notDeletedSql(definition, stored) : sql`true`);
  const rows = new Map<CountedRule, number | undefined>();
  for (const from of new Set(rules.map((one) => one.from))) {
    const asked = rules.filter((one) => one.from === from && one.rule.violation);
    if (asked.length === 0) continue;
    const counts = asked.map(
      ({ rule }, index) => sql`count(*) filter (where ${rule.violation!}) as ${sql.id(`r${index}`)}`,
    );
    const row = await rowQueries.row(sql`select ${sql.join(counts)} from ${sql.raw(from)} t where ${where(from)}`);
    asked.forEach((one, index) => rows.set(one, row?.[`r${index}`] as number | undefined));
  }
  const steps: RuleStep[] = [];
  for (const one of rules) {
    const count = rows.get(one);
    if (count === 0 && !one.always) continue;
    const broken = sql`select id from ${sql.raw(one.from)} t where ${where(one.from)} and ${one.rule.violation ?? sql`false`}`;
    const records = count === undefined || count === 0 ? undefined : await rowQueries.ids(broken);
    const text = `${one.rule.text}: ${describeCount(count, definition)}.`;
    const step: PlanStep = {
      kind: 'rule',
      text,
      sql: '',
      destructive: false,
      rows: count ?? 0,
      ...(records && { records }),
    };
    steps.push({ path: one.path, step });
  }
  return steps;
}

function stricterRules(
  field: Field,
  before: Definition | undefined,
  place: RuleContext,
  stored: StoredTable,
): CountedRule[] {
  if (field.system || field.computed !== undefined || field.readOnly) return [];
  const former = before?.fields[field.name] ?? before?.fields[field.was ?? ''];
  const storedColumn = stored.columns.get(field.name);
  const type = columnTypeOf(field);
  const value = sql.id('t', field.name);
  const count = (
    rule: FieldRule,
    from = place.from,
    always = former !== undefined && !rule.isImplied,
  ): CountedRule => ({
    rule,
    path: joinPointer('/fields', field.name, rule.key),
    from,
    always,
  });
  if (type === null) return [];
  const presence = stricterPresence(field, former, value, place).map((rule) => count(rule, place.from, true));
  if (!storedColumn) return presence;
  const others = [...stricterValues(field, former, value), ...stricterOrder(field, former, value, place)];
  const found = [...presence, ...others.map((rule) => count(rule))];
  if (storedColumn.type === type) return found;
  const { lossCondition, lossless } = conversion(storedColumn.type, type, `t.${quoteIdentifier(storedColumn.name)}`);
  if (lossless) return found;
  const text = `${field.label} keeps only values that can be converted to its new type`;
  return [
    ...found,
    count({ key: 'type', text, violation: sql.raw(`(${lossCondition})`) }, qualifiedTable(stored.table), false),
  ];
}

function notDeletedSql(definition: Definition, stored: StoredTable): RawBuilder<unknown> {
  return definition.delete.keep && stored.columns.has('deleted_at') ? sql`t.deleted_at is null` : sql`true`;
}

function describeCount(count: number | undefined, { labels }: Definition): string {
  if (count === undefined) return 'counting the stored records that violate it took too long';
  const name = (count === 1 ? labels.one : labels.many).toLowerCase();
  if (count === 0) return 'no stored record violates it';
  return `${count} stored ${name} ${count === 1 ? 'violates' : 'violate'} it`;
}
