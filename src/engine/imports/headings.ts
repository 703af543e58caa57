import type { Definition, ImportDefinition } from '../definitions/definition';

/** What a column of a file may fill: a field, or the fields of a path with commas between them. */
export interface ImportTarget {
  readonly value: string;
  readonly label: string;
  readonly fields: readonly string[];
}

/** A column of a file, and what it fills. */
export interface MatchedColumn {
  readonly heading: string;
  /** A target's value; null: left out. */
  readonly field: string | null;
  readonly label: string | null;
  /** `hand`: by this mapping or a remembered one · `errors`: the column that an earlier import added. */
  readonly by: 'name' | 'synonym' | 'tool' | 'hand' | 'errors' | null;
}

/** Heading → target, or null to leave the column out. */
export type Mapping = Readonly<Record<string, string | null>>;

/** The column that a file of failed rows has besides the original ones. */
export const errorsHeading = 'Errors';

/** A heading without case, spaces and signs, so that `Pre-Conditions` is `pre_conditions`. */
export function plainHeading(heading: string): string {
  const plain = heading.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return plain === '' ? heading.trim().toLowerCase() : plain;
}

/** Whatever a file may fill, of the fields that the importer may set. */
export function importTargets(definition: Definition, allowed: ReadonlySet<string>): ImportTarget[] {
  const { columns, paths } = definition.import!;
  const label = (name: string) => definition.fields[name]!.label;
  const single = columns
    .filter(({ field }) => allowed.has(field))
    .map(({ field }) => ({ value: field, label: label(field), fields: [field] }));
  const several = paths
    .filter((fields) => fields.every((name) => allowed.has(name)))
    .map((fields) => ({ value: fields.join(','), label: fields.map(label).join(', '), fields }));
  return [...single, ...several];
}

/** The program whose headings these are; undefined for none that is known. */
export function toolOf(
  { tools }: ImportDefinition,
  headings: readonly string[],
): ImportDefinition['tools'][number] | undefined {
  const there = new Set(headings.map(plainHeading));
  return tools.find(({ when }) => when.every((heading) => there.has(plainHeading(heading))));
}

/**
 * Finds what each column fills: by hand first, then as the program that wrote the file means it, then by name, label or
 * embed, then by synonym. No field is filled by two columns, unless by hand.
 */
export function matchColumns(
  definition: Definition,
  headings: readonly string[],
  targets: readonly ImportTarget[],
  byHand: Mapping,
): MatchedColumn[] {
  const imported = definition.import!;
  const known = new Map(targets.map((target) => [target.value, target]));
  const hand = plainKeys(byHand);
  const tool = plainKeys(toolOf(imported, headings)?.columns ?? {});
  const names = new Map<string, string>();
  const synonyms = new Map<string, string>();
  for (const { field: name, synonyms: written } of imported.columns) {
    const { label, embed } = definition.fields[name]!;
    for (const one of [name, label, ...(embed ? [embed] : [])]) addOnce(names, one, name);
    for (const one of written) addOnce(synonyms, one, name);
  }

  const found: (MatchedColumn | undefined)[] = headings.map(() => undefined);
  const taken = new Set<string>();
  const take = (by: MatchedColumn['by'], lookUp: (plain: string) => string | null | undefined) =>
    headings.forEach((heading, index) => {
      if (found[index]) return;
      const value = lookUp(plainHeading(heading));
      if (value === undefined) return;
      const target = value === null ? undefined : known.get(value);
      if (value !== null && (!target || (by !== 'hand' && taken.has(value)))) return;
      for (const name of target?.fields ?? []) taken.add(name);
      found[index] = { heading, field: target?.value ?? null, label: target?.label ?? null, by };
    });
  take('hand', (plain) => hand.get(plain));
  take('errors', (plain) => (plain === plainHeading(errorsHeading) ? null : undefined));
  take('tool', (plain) => tool.get(plain));
  take('name', (plain) => names.get(plain));
  take('synonym', (plain) => synonyms.get(plain));
  return found.map((column, index) => column ?? { heading: headings[index]!, field: null, label: null, by: null });
}

function addOnce(map: Map<string, string>, heading: string, name: string): void {
  const plain = plainHeading(heading);
  if (!map.has(plain)) map.set(plain, name);
}

function plainKeys(mapping: Mapping): Map<string, string | null> {
  return new Map(Object.entries(mapping).map(([heading, value]) => [plainHeading(heading), value]));
}
