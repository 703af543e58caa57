import type { FieldTypeName } from '../../../src/engine/definitions/definition';
import type { FieldSource, Source } from '../../../src/engine/definitions/source';

/** A module as it is asked for, before it is one. */
export interface Wish {
  readonly one: string;
  readonly many: string;
  readonly icon: string;
  readonly group: string;
  readonly fields: readonly FieldWish[];
}

export interface FieldWish {
  /** Tells the rows of the form apart. */
  readonly id: number;
  readonly label: string;
  readonly type: FieldTypeName;
  readonly required: boolean;
  /** Of a select: its options, with commas between. */
  readonly options: string;
  /** Of a relation: the module that it points to. */
  readonly to: string;
}

/** The types that a new module's fields can have; the editor knows more. */
export const wishTypes = [
  'text', 'textarea', 'richText', 'number', 'boolean', 'date', 'datetime', 'time', 'email', 'url', 'phone', 'select',
  'relation', 'relations', 'image',
] as const satisfies readonly FieldTypeName[]; // prettier-ignore

const longest = 63;
const wordsOf = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/** `Spare Parts` → `spare-parts`: the key of a module. Empty where no letter of it can be one. */
export function keyOf(many: string): string {
  return wordsOf(many).join('-').replace(/^[0-9-]+/, '').slice(0, longest).replace(/-$/, ''); // prettier-ignore
}

/** `Serial No.` → `serial_no`; what points to another module ends in `_id`. */
export function fieldKeyOf({ label, type }: Pick<FieldWish, 'label' | 'type'>): string {
  const name = wordsOf(label).join('_').replace(/^[0-9_]+/, '').slice(0, longest - 3).replace(/_$/, ''); // prettier-ignore
  return type === 'relation' && name !== '' && !name.endsWith('_id') ? `${name}_id` : name;
}

/** `Asset` → `Assets`, `Country` → `Countries`, `Box` → `Boxes`. */
export function pluralOf(one: string): string {
  if (one.trim() === '') return '';
  if (/[^aeiou]y$/i.test(one)) return one.replace(/y$/, 'ies').replace(/Y$/, 'IES');
  return /(?:s|x|z|ch|sh)$/i.test(one) ? `${one}es` : `${one}s`;
}

/** The fields that have a label, each with the key that it gets; a key that is taken gets a number. */
export function namedFields(fields: readonly FieldWish[]): { key: string; wish: FieldWish }[] {
  const taken = new Set<string>();
  return fields
    .filter(({ label }) => label.trim() !== '')
    .map((wish) => {
      const plain = fieldKeyOf(wish) || 'field';
      let key = plain;
      for (let number = 2; taken.has(key); number++) key = `${plain}_${number}`;
      taken.add(key);
      return { key, wish };
    });
}

/** The definition of what is asked for: a list with all columns, a form in one section, cards, filters, an import. */
export function sourceOf(wish: Wish): Source {
  const fields = namedFields(wish.fields);
  const [one, many] = [wish.one.trim(), wish.many.trim()];
  const title = fields.find(({ wish: { type } }) => type === 'text')?.key;
  const filters = fields.filter(({ wish: { type } }) => filtered.has(type));
  const sorts = fields.filter(({ wish: { type } }) => sorted.has(type));
  const lines = fields.filter(({ key, wish: { type } }) => key !== title && !wide.has(type)).slice(0, 3);
  return {
    $schema: '../schemas/resource.schema.json',
    name: keyOf(many),
    labels: { one, many },
    scope: 'company',
    menu: { group: wish.group.trim() || 'Workspace', icon: wish.icon, order: 90 },
    ...(title !== undefined && title !== 'name' && { recordTitle: `{${title}}` }),
    fields: Object.fromEntries(fields.map(({ key, wish: field }) => [key, fieldOf(key, field)])),
    list: {
      columns: ['id', ...fields.filter(({ wish: { type } }) => !wide.has(type)).map(({ key }) => mark(key, title))],
      rowClick: 'edit',
      ...(sorts.length > 0 && { sortChoices: sorts.map(({ key }) => key) }),
      ...(filters.length > 0 && {
        filters: Object.fromEntries(
          filters.map(({ key, wish: { type } }) => [key, /date/.test(type) ? { range: true } : {}]),
        ),
      }),
      views: ['list', 'cards'],
      card: { ...(title !== undefined && { title: `{${title}}` }), lines: lines.map(({ key }) => key) },
    },
    import: {},
  };
}

const wide: ReadonlySet<FieldTypeName> = new Set(['textarea', 'richText', 'relations', 'image']);
const filtered: ReadonlySet<FieldTypeName> = new Set(['select', 'relation', 'boolean', 'date', 'datetime']);
const sorted: ReadonlySet<FieldTypeName> = new Set(['text', 'number', 'date', 'datetime', 'relation', 'select']);
const mark = (key: string, title: string | undefined) => `${key}${key === title ? '!' : '*'}`;

function fieldOf(key: string, { label, type, required, options, to }: FieldWish): FieldSource {
  const isRelation = type === 'relation' || type === 'relations';
  return {
    type,
    label: label.trim(),
    ...(required && { required: true }),
    ...(type === 'select' && { options: optionsOf(options) }),
    ...(isRelation && { to, embed: type === 'relation' ? key.replace(/_id$/, '') : `${key}_records` }),
    ...(wide.has(type) && type !== 'relations' && { width: 'full' as const }),
  };
}

function optionsOf(text: string) {
  const labels = text.split(',').map((label) => label.trim()).filter(Boolean); // prettier-ignore
  return labels.map((label) => ({ value: wordsOf(label).join('_') || label, label }));
}
