import { describe, expect, it, test } from 'vitest';
import type { Actor } from '../../../src/engine/access/actor';
import type { ResourceRecord } from '../../../src/engine/definitions/definition';
import { normalise } from '../../../src/engine/normalise/normalise';
import { createRegistry } from '../../../src/engine/registry/registry';
import type { Source } from '../../../src/engine/language/source';
import { recordPathFor } from '../../../src/engine/lists/row-actions';
import { recordPage } from '../../../src/engine/pages/record-page';
import { readSources, source } from '../support/definitions';
import { around } from '../support/evaluation-context';

const colours = source({ name: 'colours', chip: { shape: 'dot', tones: { 1: 'low' } } });
const lids = source({
  name: 'lids',
  labels: { one: 'Lid', many: 'Lids' },
  scope: 'company',
  fields: { name: { required: true }, thing_id: { type: 'relation', to: 'things' }, fitted_at: { type: 'datetime' } },
});
const things = (extra: Partial<Source> = {}): Source =>
  source({
    scope: 'company',
    recordTitle: '{key} {name}',
    page: true,
    fields: {
      key: { type: 'sequence', format: 'T-{n}' },
      name: { required: true },
      colour_id: { type: 'relation', to: 'colours', embed: 'colour' },
      state: {
        type: 'select',
        options: [
          { value: 'new', label: 'New', tone: 'info' },
          { value: 'sold', label: 'Sold', tone: 'low' },
        ],
      },
      crate_id: { type: 'relation', to: 'crates', embed: 'crate', container: true },
      shelf_id: { type: 'relation', to: 'crates', choices: { id: '$form.crate_id' } },
      sold_to: { visible: { state: 'sold' } },
      weight: { type: 'number', readOnly: { state: 'new' } },
      total: { type: 'number', readOnly: true },
      note: { type: 'textarea' },
      story: { type: 'richText' },
      friends: { type: 'relations', to: 'colours', embed: 'mates' },
      lids: { type: 'inverse', source: 'lids.thing_id' },
    },
    ...extra,
  });
const crates = source({ name: 'crates', labels: { one: 'Crate', many: 'Crates' }, scope: 'company', archive: true });

const record: ResourceRecord = {
  id: 7,
  key: 'T-7',
  name: 'Lantern',
  colour_id: 1,
  colour: { id: 1, title: 'Green' },
  state: 'new',
  crate_id: 3,
  crate: { id: 3, title: 'Lamps' },
  note: 'Of brass',
  story: '<p>Found in a barn</p>',
  created_by: 9,
};

const everything = ['list', 'view', 'create', 'edit', 'delete'] as const;
const actor = {
  id: 8,
  level: 3,
  permissions: Object.fromEntries(['things', 'lids', 'crates', 'colours'].map((name) => [name, everything])),
} as unknown as Actor;

function pageOf(extra: Partial<Source> = {}, who: Actor = actor, of: ResourceRecord = record) {
  const registry = createRegistry([colours, lids, things(extra), crates].map((one) => normalise(one)));
  return recordPage(registry.getOrThrow('things'), registry, of, who, around);
}
const named = (fields: readonly { readonly name: string }[]) => fields.map(({ name }) => name);

describe('the page of a record', () => {
  it('derives key, title, chips, properties, long texts and related lists from the form', () => {
    const page = pageOf()!;
    expect([page.key, page.heading, page.within]).toEqual(['T-7', 'Lantern', 'Lamps']);
    expect(named(page.chips)).toEqual(['colour_id', 'state']);
    expect(named(page.rail.map(({ field }) => field))).toEqual([
      'colour_id',
      'state',
      'crate_id',
      'shelf_id',
      'weight',
      'total',
    ]);
    expect(page.sections.map(({ fields }) => named(fields))).toEqual([['note', 'story']]);
    expect(page.related).toMatchObject([{ name: 'lids', resource: 'lids', filter: { thing_id: '$record.id' } }]);
    expect(page.refusal).toBeUndefined();
  });

  it('leaves out texts that are empty, and those that only say what the title, a row or a text before says', () => {
    const steps = {
      type: 'rows',
      insertedRows: 'base_id.steps',
      fields: { action: {}, expected: {}, base_id: { type: 'relation', to: 'bases', embed: 'base' } },
    } as const;
    const extra = {
      fields: {
        name: { required: true },
        ...Object.fromEntries(['lead', 'list', 'end', 'other'].map((name) => [name, { type: 'textarea' as const }])),
        story: { type: 'richText' },
        steps,
      },
      recordTitle: '{name}',
    } satisfies Partial<Source>;
    const bases = source({
      name: 'bases',
      fields: { name: { required: true }, steps: { type: 'rows', fields: { action: {}, expected: {} } } },
    });
    const registry = createRegistry([bases, things(extra)].map((one) => normalise(one)));
    const shown = (values: ResourceRecord) =>
      recordPage(
        registry.getOrThrow('things'),
        registry,
        { id: 7, name: 'Light it', ...values },
        actor,
        around,
      )!.sections.flatMap(({ fields }) => named(fields));
    const told = {
      steps: [
        { action: 'Open the *lid*', expected: null },
        { base_id: 3, inserted: [{ action: 'Strike a match', expected: 'It burns' }] },
      ],
      list: '1. Open the lid\n2. Strike a match.',
      end: 'It burns.',
    };
    expect(shown({ ...told, lead: 'Light it!', story: '<p>It burns</p>' })).toEqual(['steps']);
    expect(shown({ ...told, lead: 'Dry wicks', other: 'dry wicks', story: '<p>Mind the glass</p>' })).toEqual([
      'lead',
      'story',
      'steps',
    ]);
    expect(shown({ list: told.list, end: told.end })).toEqual(['list', 'end']);
  });

  it('does not exist without the key, and a click on a row does nothing then', () => {
    expect(pageOf({ page: false })).toBeNull();
    expect(normalise(things({ page: false })).list.rowClick).toBe('none');
    expect(normalise(things()).list.rowClick).toBe('page');
    expect(recordPathFor(normalise(things()), record, actor, around)).toBe('/things/7/view');
    expect(recordPathFor(normalise(things({ list: { rowClick: 'view' } })), record, actor, around)).toBe('/things/7');
  });

  it('says of each property whether it is edited in place, and if not why', () => {
    const rail = Object.fromEntries(pageOf()!.rail.map(({ field, editable, why }) => [field.name, why ?? editable]));
    expect(rail).toEqual({
      colour_id: true,
      state: true,
      crate_id: 'Other fields depend on Crate: it is changed in the form.',
      shelf_id: true,
      weight: 'Weight cannot be changed as long as the record is as it is now.',
      // What the program fills needs no reason.
      total: false,
    });
    const sold = pageOf({}, actor, { ...record, state: 'sold' })!.rail;
    expect(sold.find(({ field }) => field.name === 'sold_to')).toMatchObject({ editable: true });
    expect(sold.find(({ field }) => field.name === 'weight')).toMatchObject({ editable: true });
  });

  it('shows the fields that the rules leave, and the reasons for the others', () => {
    const page = pageOf({
      rules: [
        { levels: [3], action: 'edit', where: { created_by: '$actor.id' }, reason: 'all of what you created' },
        { levels: [3], action: 'edit', fields: ['state'], reason: 'only the state of what others created' },
        { levels: [3], action: 'view', exceptFields: ['note', 'colour_id'] },
      ],
    })!;
    const [state, crate] = ['state', 'crate_id'].map((name) => page.rail.find(({ field }) => field.name === name)!);
    expect(state!.editable).toBe(true);
    expect(crate!.why).toBe('Your role may change only the state of what others created.');
    expect(named(page.chips)).toEqual(['state']);
    expect(page.sections.map(({ fields }) => named(fields))).toEqual([['story']]);
  });

  it('refuses every change to a user who may not edit, and to one who views as another', () => {
    const reader = { ...actor, permissions: { things: ['list', 'view'] } } as unknown as Actor;
    const page = pageOf({}, reader)!;
    expect(page.refusal).toBe('You may read this record but not change it.');
    expect(page.rail.filter(({ editable, why }) => editable || why)).toEqual([]);
    expect(page.related).toEqual([]);
    expect(pageOf({}, { ...actor, viewer: actor })!.refusal).toContain('viewing as another user');
  });
});

test.each<[string, Partial<Source>, string]>([
  ['a click on a page that there is not', { page: false, list: { rowClick: 'page' } }, '/list/rowClick "page" needs'],
  ['a chip that is no field', { page: { chips: ['colour'] } }, '/page/chips/0 Unknown field "colour"'],
  ['a property that is no field', { page: { rail: ['name', 'nam'] } }, '/page/rail/1 Unknown field "nam"'],
  [
    'a text twice',
    { page: { sections: [{ fields: ['note'] }, { fields: ['story', 'note'] }] } },
    '/page/sections/1/fields/1 "note" is in two places',
  ],
  ['related records of nothing', { page: { related: ['lid'] } }, '/page/related/0 Unknown list of related records'],
  ['related records of a text', { page: { related: ['note'] } }, '/page/related/0 "note" has no records that point'],
  [
    'a stream of another time',
    {
      page: {
        stream: [{ name: 'lids', label: 'Lids', resource: 'lids', filter: {}, time: 'name', text: 'fitted {name}' }],
      },
    },
    '/page/stream/0/time "name" is no point in time',
  ],
  [
    'a stream with words about nothing',
    {
      page: { stream: [{ name: 'lids', label: 'L', resource: 'lids', filter: {}, time: 'fitted_at', text: '{nam}' }] },
    },
    '/page/stream/0/text Unknown field "nam"',
  ],
  [
    'a stream by nobody',
    {
      page: {
        stream: [{ name: 'l', label: 'L', resource: 'lids', filter: {}, time: 'fitted_at', person: 'name', text: 'x' }],
      },
    },
    '/page/stream/0/person "name" does not say who',
  ],
  [
    'a stream with a name that is taken',
    { page: { stream: [{ name: 'changes', label: 'L', resource: 'lids', filter: {}, time: 'fitted_at', text: 'x' }] } },
    '/page/stream/0/name "changes" is taken',
  ],
  [
    'a stream of what the list does not know',
    {
      page: { stream: [{ name: 'l', label: 'L', resource: 'lids', filter: { it: 1 }, time: 'fitted_at', text: 'x' }] },
    },
    '/page/stream/0/filter/it Unknown field "it"',
  ],
])('a definition with %s is reported with the place', (_, extra, problem) => {
  const { problems } = readSources(colours, lids, crates, things(extra));
  expect(problems.map(({ path, message }) => `${path} ${message}`).join('\n')).toContain(problem);
});

test('a definition of a page without these mistakes has no problems', () => {
  expect(readSources(colours, lids, crates, things()).problems).toEqual([]);
});
