import { expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { languageFiles } from '../../../src/engine/language/files';
import type { KeySchema } from '../../../src/engine/language/key';
import { replaceNames } from '../../../src/engine/references/replace-names';
import { removeField } from '../../../src/engine/studio/fields';
import { source } from '../support/definitions';

const fields: Source['fields'] = {
  name: {},
  state: { type: 'select', options: [{ value: 'open', label: 'Open' }] },
  due: { type: 'date' },
  owner_id: { type: 'relation', to: 'users', embed: 'owner', embedFields: ['state'] },
  parent_id: { type: 'relation', to: 'orders', embed: 'parent', embedFields: ['state'] },
  lines: { type: 'rows', fields: { state: {}, item_id: { type: 'relation', to: 'items', choices: { state: 'new' } } } },
};

const orders = (part: Partial<Source>): Source =>
  source({ name: 'orders', ...part, fields: { ...fields, ...part.fields } });

/** A part of a definition in which `state` is renamed to `phase`, and in which it is removed. */
type Case = [title: string, part: Partial<Source>, renamed: Partial<Source>, removed: Partial<Source>];

const cases: Case[] = [
  [
    'columns, with their marks and through embeds of the same resource alone',
    { list: { columns: ['name!', 'state*', { field: 'parent.state', width: 90 }, 'owner.state'] } },
    { list: { columns: ['name!', 'phase*', { field: 'parent.phase', width: 90 }, 'owner.state'] } },
    { list: { columns: ['name!', 'owner.state'] } },
  ],
  [
    'paths through several relations, in columns, orders and filters',
    {
      list: {
        columns: ['name', 'parent.parent.state*', 'parent.owner.state'],
        sort: '-parent.parent.state',
        sortChoices: ['name', 'parent.state'],
        filters: { 'parent.parent.state': {}, name: {}, far: { field: 'parent.parent.state' } },
      },
    },
    {
      list: {
        columns: ['name', 'parent.parent.phase*', 'parent.owner.state'],
        sort: '-parent.parent.phase',
        sortChoices: ['name', 'parent.phase'],
        filters: { 'parent.parent.phase': {}, name: {}, far: { field: 'parent.parent.phase' } },
      },
    },
    { list: { columns: ['name', 'parent.owner.state'], sortChoices: ['name'], filters: { name: {} } } },
  ],
  [
    'templates, whose other names stay',
    { recordTitle: '{name}  {state} of {owner.state}' },
    { recordTitle: '{name}  {phase} of {owner.state}' },
    { recordTitle: '{name} of {owner.state}' },
  ],
  [
    'conditions, of which only that comparison goes',
    { fields: { due: { type: 'date', visible: { state: 'open', 'owner_id.state': 1, name: '$form.state' } } } },
    { fields: { due: { type: 'date', visible: { phase: 'open', 'owner_id.state': 1, name: '$form.phase' } } } },
    { fields: { due: { type: 'date', visible: { 'owner_id.state': 1 } } } },
  ],
  [
    'a view of the list, which would show other records without its filter',
    {
      list: {
        saved: [
          { name: 'a', label: 'A', filter: { state: 'open' } },
          { name: 'b', label: 'B', group: 'state', filter: { due_from: '$today' } },
        ],
      },
    },
    {
      list: {
        saved: [
          { name: 'a', label: 'A', filter: { phase: 'open' } },
          { name: 'b', label: 'B', group: 'phase', filter: { due_from: '$today' } },
        ],
      },
    },
    { list: { saved: [{ name: 'b', label: 'B', filter: { due_from: '$today' } }] } },
  ],
  [
    'filters, and what the choices of others take from them',
    { list: { filters: { state: {}, owner_id: { choices: { state: '$form.state' } } } } },
    { list: { filters: { phase: {}, owner_id: { choices: { state: '$form.phase' } } } } },
    { list: { filters: { owner_id: {} } } },
  ],
  [
    'filters under a name of their own, and parameters with them',
    {
      parameters: { mine: { field: 'state' } },
      list: { filters: { stage: { field: 'state', label: 'Stage' }, mine: {} } },
    },
    {
      parameters: { mine: { field: 'phase' } },
      list: { filters: { stage: { field: 'phase', label: 'Stage' }, mine: {} } },
    },
    {},
  ],
  [
    'the page after saving, which stays and is reported',
    { form: { redirects: [{ to: '/orders/{id}/{state}' }] } },
    { form: { redirects: [{ to: '/orders/{id}/{phase}' }] } },
    { form: { redirects: [{ to: '/orders/{id}/{state}' }] } },
  ],
  [
    'actions that open a list or a form of the same resource alone',
    {
      list: {
        actions: [
          { name: 'like', goTo: { resource: 'orders', filter: { state: '$record.state' } } },
          { name: 'note', opens: { resource: 'notes', values: { state: '$record.state', order_id: '$record.id' } } },
          { name: 'pack', screen: '/pack/{state}/{id}' },
        ],
      },
    },
    {
      list: {
        actions: [
          { name: 'like', goTo: { resource: 'orders', filter: { phase: '$record.phase' } } },
          { name: 'note', opens: { resource: 'notes', values: { state: '$record.phase', order_id: '$record.id' } } },
          { name: 'pack', screen: '/pack/{phase}/{id}' },
        ],
      },
    },
    {
      list: {
        actions: [
          { name: 'like', goTo: { resource: 'orders' } },
          { name: 'note', opens: { resource: 'notes', values: { order_id: '$record.id' } } },
          { name: 'pack', screen: '/pack/{state}/{id}' },
        ],
      },
    },
  ],
  [
    'the board of a field, which goes with its columns',
    { list: { views: ['list', 'kanban'], kanban: { column: 'state', lines: ['name'] } } },
    { list: { views: ['list', 'kanban'], kanban: { column: 'phase', lines: ['name'] } } },
    { list: { views: ['list'] } },
  ],
  [
    'sections and their alternatives',
    {
      form: {
        sections: [
          {
            label: 'A',
            fields: ['name', 'state', 'due'],
            alternatives: [
              { label: 'X', fields: ['state'] },
              { label: 'Y', fields: ['due'] },
            ],
          },
          { label: 'B', fields: ['state'] },
        ],
      },
    },
    {
      form: {
        sections: [
          {
            label: 'A',
            fields: ['name', 'phase', 'due'],
            alternatives: [
              { label: 'X', fields: ['phase'] },
              { label: 'Y', fields: ['due'] },
            ],
          },
          { label: 'B', fields: ['phase'] },
        ],
      },
    },
    { form: { sections: [{ label: 'A', fields: ['name', 'due'] }] } },
  ],
  [
    'unique combinations and spans, which would refuse other records without a field',
    {
      unique: [['name', 'state'], { fields: ['due'] }],
      noOverlap: { fields: ['due', 'until'], partitionBy: ['state'] },
    },
    {
      unique: [['name', 'phase'], { fields: ['due'] }],
      noOverlap: { fields: ['due', 'until'], partitionBy: ['phase'] },
    },
    { unique: [{ fields: ['due'] }] },
  ],
  [
    'indexes, none of them twice',
    { indexes: [['due'], ['due', 'state'], ['state']] },
    { indexes: [['due'], ['due', 'phase'], ['phase']] },
    { indexes: [['due']] },
  ],
  [
    'the page of a record: its stream of the same resource alone',
    {
      page: {
        chips: ['state'],
        stream: [
          {
            name: 'a',
            label: 'A',
            resource: 'orders',
            filter: { parent_id: '$record.id' },
            time: 'created_at',
            text: 'is {state}',
          },
          {
            name: 'b',
            label: 'B',
            resource: 'notes',
            filter: { order_id: '$record.id' },
            time: 'state',
            text: 'is {state}',
          },
        ],
      },
    },
    {
      page: {
        chips: ['phase'],
        stream: [
          {
            name: 'a',
            label: 'A',
            resource: 'orders',
            filter: { parent_id: '$record.id' },
            time: 'created_at',
            text: 'is {phase}',
          },
          {
            name: 'b',
            label: 'B',
            resource: 'notes',
            filter: { order_id: '$record.id' },
            time: 'state',
            text: 'is {state}',
          },
        ],
      },
    },
    {
      page: {
        chips: [],
        stream: [
          {
            name: 'b',
            label: 'B',
            resource: 'notes',
            filter: { order_id: '$record.id' },
            time: 'state',
            text: 'is {state}',
          },
        ],
      },
    },
  ],
  [
    'names that a request lists, not those of what it adds',
    {
      requests: {
        close: {
          label: 'Close',
          sets: ['state', 'due'],
          adds: { resource: 'notes', relation: 'order_id', fields: ['text'] },
          required: ['state', 'text'],
        },
        note: {
          label: 'Note',
          adds: { resource: 'notes', relation: 'order_id', fields: ['state'] },
          required: ['state'],
        },
      },
    },
    {
      requests: {
        close: {
          label: 'Close',
          sets: ['phase', 'due'],
          adds: { resource: 'notes', relation: 'order_id', fields: ['text'] },
          required: ['phase', 'text'],
        },
        note: {
          label: 'Note',
          adds: { resource: 'notes', relation: 'order_id', fields: ['state'] },
          required: ['state'],
        },
      },
    },
    {
      requests: {
        close: {
          label: 'Close',
          sets: ['due'],
          adds: { resource: 'notes', relation: 'order_id', fields: ['text'] },
          required: ['text'],
        },
        note: {
          label: 'Note',
          adds: { resource: 'notes', relation: 'order_id', fields: ['state'] },
          required: ['state'],
        },
      },
    },
  ],
  [
    'imports: headings of other programs and values of new records',
    {
      import: {
        match: ['name', 'state'],
        synonyms: { state: ['Status'], due: ['Date'] },
        creates: { owner_id: { state: '$form.state' }, parent_id: { state: 'open' } },
        tools: [{ name: 'T', headings: ['A'], columns: { A: 'state', B: 'lines.state', C: null } }],
      },
    },
    {
      import: {
        match: ['name', 'phase'],
        synonyms: { phase: ['Status'], due: ['Date'] },
        creates: { owner_id: { state: '$form.phase' }, parent_id: { phase: 'open' } },
        tools: [{ name: 'T', headings: ['A'], columns: { A: 'phase', B: 'lines.state', C: null } }],
      },
    },
    {
      import: {
        synonyms: { due: ['Date'] },
        creates: { owner_id: {}, parent_id: {} },
        tools: [{ name: 'T', headings: ['A'], columns: { B: 'lines.state', C: null } }],
      },
    },
  ],
];

const partsOf = ({ name: _name, labels: _labels, ...parts }: Source) => parts;

test.each(cases)('a renamed field is renamed in %s', (_, part, renamed) => {
  const before = orders(part);
  const after = replaceNames(before, {
    names: ['state'],
    nameOf: (scope, name) => (scope === 'orders' && name === 'state' ? 'phase' : name),
  });
  const { state, ...others } = orders(renamed).fields;
  expect(after.fields).toEqual({
    ...others,
    phase: state,
    parent_id: { ...fields.parent_id, embedFields: ['phase'] },
  });
  expect(partsOf({ ...after, fields: {} })).toEqual(partsOf({ ...before, ...renamed, fields: {} }));
});

test.each(cases)('a removed field is removed from %s', (_, part, _renamed, removed) => {
  const { source: after } = removeField(orders(part), 'state');
  expect(partsOf({ ...after, fields: {} })).toEqual(partsOf({ ...orders({}), ...removed, fields: {} }));
  const { state: _state, ...others } = orders(removed).fields;
  const { embedFields: _embedFields, ...parent } = fields.parent_id!;
  const { embedFields: left, ...parentAfter } = after.fields.parent_id!;
  expect({ ...after.fields, parent_id: parentAfter }).toEqual({ ...others, parent_id: parent });
  expect(left ?? []).toEqual([]);
});

test('a renamed column of rows is renamed in the columns, and where others take it from there', () => {
  const before = orders({
    fields: {
      lines: {
        type: 'rows',
        insertedRows: 'kit_id.lines',
        fields: { kit_id: { type: 'relation', to: 'kits' }, price: {} },
      },
      most: { type: 'rollup', source: 'lines', aggregate: 'max', field: 'price', where: { kit_id: null } },
      sold: { type: 'inverse', source: 'orders.lines.kit_id' },
      open: { type: 'boolean', computed: { lines: { $some: { price: 1, 'kit_id.price': 2 } }, price: 3 } },
    },
    import: { splits: { name: 'lines.price' } },
  });
  const renamed = (next: Record<string, string>) =>
    replaceNames(before, {
      names: Object.keys(next),
      nameOf: (scope, name) => (scope === 'orders.lines' && next[name]) || name,
    });
  expect(renamed({ price: 'cost' })).toMatchObject({
    fields: {
      lines: { fields: { cost: {} } },
      most: { field: 'cost' },
      open: { computed: { lines: { $some: { cost: 1, 'kit_id.price': 2 } }, price: 3 } },
    },
    import: { splits: { name: 'lines.cost' } },
  });
  expect(renamed({ kit_id: 'set_id' })).toMatchObject({
    fields: {
      lines: { insertedRows: 'set_id.lines', fields: { set_id: {} } },
      most: { where: { set_id: null } },
      sold: { source: 'orders.lines.set_id' },
    },
  });
});

test('a field with the name of a key of the language does not change the resource of other fields', () => {
  const part = (state: string) => ({
    form: {
      tabs: [{ name: 'a', label: 'A', resource: 'orders', filter: { resource: 'users', [state]: 'open' } }],
    },
    automations: [{ name: 'a', steps: [{ create: 'orders', values: { create: 'users', [state]: 'open' } }] }],
    import: { creates: { parent_id: { field: 'owner_id', [state]: 'open' } } },
    requests: {
      close: {
        label: 'Close',
        adds: { resource: 'notes', relation: 'order_id', fields: ['state'] },
        sets: ['sets'],
        visible: { sets: { state: 'open' }, state: {} },
      },
    },
  });
  const before = orders(part('state') as object);
  const after = replaceNames(before, {
    names: ['state'],
    nameOf: (scope, name) => (scope === 'orders' && name === 'state' ? 'phase' : name),
  });
  const { requests, ...others } = part('phase');
  expect(after).toMatchObject(others);
  expect(after.requests).toEqual({
    close: { ...requests.close, visible: { sets: { phase: 'open' }, state: {} } },
  });
});

test('words of the language are not renamed as names', () => {
  const before = source({
    name: 'orders',
    fields: {
      none: {},
      company: { type: 'relation', to: 'companies' },
      key: { type: 'sequence', format: 'K-{n}', partitionBy: 'company' },
    },
    list: { card: { mark: 'none' } },
  });
  const after = replaceNames(before, {
    names: ['none', 'company', 'n'],
    nameOf: (_, name) => ({ none: 'other', company: 'firm', n: 'm' })[name] ?? name,
  });
  expect(after).toMatchObject({
    fields: { key: { format: 'K-{n}', partitionBy: 'company' } },
    list: { card: { mark: 'none' } },
  });
});

test('every key that accepts a name says of which kind', () => {
  const silent = Object.entries(languageFiles).flatMap(([file, schema]) => keysWithoutReference(schema, file));
  // These are new names, or names outside of the definitions.
  expect([...new Set(silent)].toSorted()).toEqual([
    'automation.schema.json/name',
    'automation.schema.json/steps/-/webhook',
    'field.schema.json/countName',
    'field.schema.json/embed',
    'field.schema.json/formerName',
    'list.schema.json/actions/-/calls/idsProperty',
    'resource.schema.json/requests (names)',
  ]);
});

/** Where texts look like names of fields, and the language does not say whose. */
function keysWithoutReference(schema: KeySchema, path: string): string[] {
  const { reference, pattern, items, propertyNames, additionalProperties, properties = {}, allOf = [], then } = schema;
  const isName = (text: string | undefined) => text?.startsWith('^[a-z][A-Za-z0-9_]') === true;
  return [
    ...(isName(pattern) && !reference ? [path] : []),
    ...(isName(propertyNames?.pattern) && !propertyNames?.reference ? [`${path} (names)`] : []),
    ...(items ? keysWithoutReference(items, `${path}/-`) : []),
    ...(typeof additionalProperties === 'object' ? keysWithoutReference(additionalProperties, `${path}/*`) : []),
    ...(then ? keysWithoutReference(then, path) : []),
    ...allOf.flatMap((one) => keysWithoutReference(one, path)),
    ...Object.entries(properties).flatMap(([key, one]) => keysWithoutReference(one, `${path}/${key}`)),
  ];
}
