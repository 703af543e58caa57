import { describe, expect, it } from 'vitest';
import { fieldTypeNames, type FieldTypeName } from '../../../src/engine/definitions/definition';
import type { AnyFieldSource, FieldSource, Source } from '../../../src/engine/language/source';
import { requiredKeys, fieldKeyOptions } from '../../../src/engine/studio/type-keys';
import fieldSchema from '../../../schemas/field.schema.json';
import { validateSource, readSources, fixtureFiles, source } from '../support/definitions';

/** A field that each type accepts, and a value of the right kind for every key. */
const whole: Partial<Record<FieldTypeName, AnyFieldSource>> = {
  money: { currency: 'EUR' },
  select: { options: [{ value: 1, label: 'One' }] },
  relation: { to: 'users' },
  relations: { to: 'users' },
  inverse: { source: 'others.thing_id' },
  duration: { startField: 'starts', endField: 'ends' },
  shareLink: { path: 'thing' },
  sequence: { format: 'TC-{n}' },
  lookup: { source: 'created_by.name' },
  rollup: { source: 'others.thing_id', aggregate: 'count' },
  rows: { fields: { text: { type: 'text' } } },
};
const some: Record<string, unknown> = {
  label: 'L',
  help: 'H',
  placeholder: 'P',
  emptyText: 'E',
  required: true,
  readOnly: true,
  visible: {},
  default: null,
  unique: true,
  minLength: 1,
  maxLength: 9,
  similar: true,
  markdown: true,
  min: 1,
  max: 2,
  minItems: 1,
  endField: 'ends',
  maxItems: 9,
  accept: ['image/*'],
  maxSize: '5 MB',
  fields: { text: { type: 'text' } },
  integer: true,
  decimal: true,
  currency: 'name',
  queryResource: 'others',
  limitedBy: 'name',
  pattern: '^a$',
  patternMessage: 'M',
  notBefore: 'name',
  laterThan: 'name',
  maxDate: '$today',
  dateField: 'day',
  suggestedFrom: 'name',
  startField: 'starts',
  options: [{ value: 1, label: 'One' }],
  multiple: true,
  initial: 1,
  transitions: [{ from: 1, to: 2 }],
  transitionsBy: 'name',
  to: 'users',
  embed: 'e',
  embedFields: [],
  choices: {},
  onDelete: 'restrict',
  container: true,
  maxDepth: 2,
  depth: 'thing_id.levels',
  pin: true,
  source: 'others.thing_id',
  inLists: 'nothing',
  countName: 'c',
  sum: 'hours',
  showFields: [],
  valueStrip: 'title',
  indirectRelation: 'a_id.b_id',
  insertedRows: 'shared_id.steps',
  distinctBy: 'thing_id',
  confirmChangesOf: [],
  aggregate: 'sum',
  field: 'hours',
  latestBy: 'created_at',
  where: {},
  computed: '{name}',
  formerName: 'w',
  secret: false,
  virtual: true,
  searchable: false,
  sortable: false,
  filterable: false,
  width: 'full',
  lines: 3,
  digits: 2,
  separators: false,
  path: 'thing',
  sharedFields: ['name'],
  format: 'TC-{n}',
  partitionBy: 'installation',
  gapless: true,
  of: 'id',
};

function faultsOf(type: FieldTypeName, extra: object): string[] {
  const others = source({ name: 'others', fields: { name: {}, thing_id: { type: 'relation', to: 'things' } } });
  const things = source({
    fields: {
      name: {},
      starts: { type: 'time' },
      ends: { type: 'time' },
      day: { type: 'date' },
      it: { type, ...whole[type], ...extra } as FieldSource,
    },
  });
  return readSources(others, things).problems.map(({ path }) => path);
}

describe('the keys of a type', () => {
  it.each(fieldTypeNames)('of the type %s are those that its checks accept, and no others', (type) => {
    const known = new Set(fieldKeyOptions(type).map(({ key }) => key as string));
    for (const key of Object.keys(fieldSchema.properties)) {
      if (key === 'type' || key === 'formerName') continue;
      const refused = faultsOf(type, { [key]: some[key] }).includes(`/fields/it/${key}`);
      if (!known.has(key) && key !== 'computed') expect([key, refused]).toEqual([key, true]);
    }
    expect(fieldKeyOptions(type)[0]!.key).toBe('type');
    expect(faultsOf(type, {})).toEqual([]);
  });

  it('include all that shipped definitions use', () => {
    for (const { text } of fixtureFiles)
      for (const [name, field] of Object.entries((JSON.parse(text) as Source).fields)) {
        if (['created_by', 'updated_by', 'site_id'].includes(name)) continue;
        const known = fieldKeyOptions(field.type ?? 'text').map(({ key }) => key);
        expect(known).toEqual(expect.arrayContaining(Object.keys(field)));
      }
  });

  it('tell which of them a type requires, like the schemas', () => {
    for (const type of fieldTypeNames) {
      const missing = validateSource(source({ fields: { it: { type } as FieldSource } })).map(
        ({ params }) => params.missingProperty,
      );
      expect(requiredKeys(type).toSorted()).toEqual(missing.filter((one) => one !== undefined).toSorted());
    }
  });
});
