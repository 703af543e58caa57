import type { FieldTypeName } from '../../../src/engine/definitions/definition';
import type { Source } from '../../../src/engine/definitions/source';
import { newModule, type NewField } from '../../../src/engine/studio/blank';
import { nameFrom } from '../../../src/engine/studio/field-names';

/** The values of the form of a new module. */
export interface Wish {
  readonly one: string;
  readonly many: string;
  readonly icon: string;
  readonly group: string;
  readonly fields: readonly FieldWish[];
}

export interface FieldWish {
  /** Identifies the row of the form. */
  readonly id: number;
  readonly label: string;
  readonly type: FieldTypeName;
  readonly required: boolean;
  /** Of a select: its options, separated by commas. */
  readonly options: string;
  /** Of a relation: the module that it points to. */
  readonly to: string;
}

/** The types that this form offers; the editor offers all. */
export const wishTypes = [
  'text',
  'textarea',
  'richText',
  'number',
  'boolean',
  'date',
  'datetime',
  'time',
  'email',
  'url',
  'phone',
  'select',
  'relation',
  'relations',
  'image',
] as const satisfies readonly FieldTypeName[];

/** The key of a module: `Spare Parts` → `spare-parts`. Empty if the name has no usable letter. */
export function keyOf(many: string): string {
  return nameFrom(many, '').replaceAll('_', '-');
}

/** `Asset` → `Assets`, `Country` → `Countries`, `Box` → `Boxes`. */
export function pluralOf(one: string): string {
  if (one.trim() === '') return '';
  if (/[^aeiou]y$/i.test(one)) return one.replace(/y$/, 'ies').replace(/Y$/, 'IES');
  return /(?:s|x|z|ch|sh)$/i.test(one) ? `${one}es` : `${one}s`;
}

/** The fields that have a label. */
export function labelled(fields: readonly FieldWish[]): FieldWish[] {
  return fields.filter(({ label }) => label.trim() !== '');
}

/** The definition of a new module, with cards and import. */
export function sourceOf(wish: Wish): Source {
  const { list, menu, ...source } = newModule({
    name: keyOf(wish.many),
    one: wish.one,
    many: wish.many,
    icon: wish.icon,
    fields: labelled(wish.fields).map(fieldOf),
  });
  const group = wish.group.trim() || 'Workspace';
  return {
    ...source,
    menu: { ...menu, group },
    list: { ...list, views: ['list', 'cards'], card: { lines: cardLines(source.fields) } },
    import: {},
  };
}

/** The form row of each field of the definition; a title field that was added in front has none. */
export function wishesByKey(wish: Wish, source: Source): Map<string, FieldWish> {
  const keys = Object.keys(source.fields);
  const wishes = labelled(wish.fields);
  const put = keys.length - wishes.length;
  return new Map(wishes.map((field, index) => [keys[index + put]!, field]));
}

const onCards: ReadonlySet<string> = new Set(['select', 'relation', 'date', 'datetime', 'number', 'email', 'phone']);

function cardLines(fields: Source['fields']): string[] {
  const entries = Object.entries(fields).filter(([, { type = 'text' }]) => onCards.has(type));
  return entries.slice(0, 3).map(([name]) => name);
}

function fieldOf({ label, type, required, options, to }: FieldWish): NewField {
  const isLong = type === 'textarea' || type === 'richText' || type === 'image';
  return {
    label,
    type,
    ...(required && { required: true }),
    ...(type === 'select' && { options: optionsOf(options) }),
    ...((type === 'relation' || type === 'relations') && to !== '' && { to }),
    ...(isLong && { width: 'full' as const }),
  };
}

function optionsOf(text: string) {
  const labels = text
    .split(',')
    .map((label) => label.trim())
    .filter(Boolean);
  return labels.map((label) => ({ value: nameFrom(label, '') || label, label }));
}
