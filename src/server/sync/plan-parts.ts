import type { Ask } from './ask';
import type { Introspected } from './introspect';
import { quoted, tableId, type WantedPart } from './parts';
import type { Stored } from './plan-renames';
import type { Step } from './step';

/** What indexes and foreign keys have to be planned against. */
export interface PartsPlace {
  /** Table → the resource that it belongs to. */
  readonly resources: ReadonlyMap<string, string>;
  /** The tables as they will be called → as they are stored now. */
  readonly stored: ReadonlyMap<string, Stored>;
  /** Table → its rows as they will be; of stored ones alone. */
  readonly future: ReadonlyMap<string, string>;
  readonly current: Introspected;
  readonly ask: Ask;
  readonly naming: boolean;
}

/** What sync once made (of what is `known`) and no definition asks for any longer. Nothing that is stored goes with it. */
export function dropParts(
  kind: 'dropForeignKey' | 'dropIndex',
  known: ReadonlyMap<string, string>,
  wanted: readonly WantedPart[],
  { resources, stored, current }: PartsPlace,
): Step[] {
  const ours = kind === 'dropIndex' ? /^[iu]x__/ : /^fk__/;
  const kept = new Set(wanted.map((part) => part.name));
  return [...known]
    .filter(([name, table]) => ours.test(name) && !kept.has(name) && resources.has(table))
    .map(([name, table]) => ({
      kind,
      resource: resources.get(table)!,
      text: kind === 'dropIndex' ? `Drop the index ${name}` : `Drop the foreign key ${name}`,
      sql:
        kind === 'dropIndex'
          ? `drop index public.${quoted(name)}`
          : `alter table ${tableId(table)} drop constraint ${quoted(name)}`,
      destructive: false,
      locks: [stored.get(table)?.table ?? table, current.targets.get(name) ?? []].flat(),
      columns: [],
    }));
}

/** Rows from which on an index takes so long to build that nobody is to wait for it. */
const MANY = 10_000;

/** What is wanted and not there yet; the rows that stand against it are counted as they will be. */
export async function addParts(
  kind: 'addForeignKey' | 'createIndex',
  known: ReadonlyMap<string, string>,
  wanted: readonly WantedPart[],
  { resources, stored, future, current, ask, naming }: PartsPlace,
): Promise<Step[]> {
  const steps: Step[] = [];
  for (const part of wanted.filter(({ name }) => !known.has(name))) {
    const held = stored.get(part.table);
    const from = future.get(part.table);
    const targets = part.target === undefined ? '' : (future.get(part.target) ?? nothing);
    const countable = held !== undefined && from !== undefined && part.columns.every((name) => held.columns.has(name));
    const against = countable ? part.against?.(from, targets) : undefined;
    const rows = against === undefined ? undefined : await ask.count(against);
    const destructive = (rows ?? 0) > 0;
    const records = destructive && naming ? await ask.ids(against!) : undefined;
    const target = part.target === undefined ? undefined : stored.get(part.target)?.table;
    const later = part.helps && held !== undefined && (current.sizes.get(held.table) ?? 0) >= MANY;
    steps.push({
      kind,
      resource: resources.get(part.table)!,
      text: later ? `${part.text}, afterwards` : part.text,
      sql: part.sql,
      destructive,
      ...(later && { later }),
      ...(rows !== undefined && { rows }),
      ...(records && { records }),
      locks: [held?.table ?? [], target ?? []].flat(),
      columns: part.columns,
    });
  }
  return steps;
}

/** A table that is still to be made holds no row. */
const nothing = '(select null::integer as id where false)';
