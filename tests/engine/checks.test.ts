import { describe, expect, test } from 'vitest';
import { checkRows } from '../../src/engine/check/check-rows';
import { readDefinitions } from '../../src/engine/check/read-definitions';
import type { Source } from '../../src/engine/language/source';
import { definition, validateSource, readSources, fixtureFiles, source } from './support/definitions';

/** Somebody with a company, members and parts, so that cases have something to point at. */
const parents = source({
  name: 'parents',
  scope: 'company',
  archive: true,
  fields: {
    name: { required: true },
    note: { type: 'textarea' },
    secret_code: { secret: true },
    member_ids: { type: 'relations', to: 'users' },
    things: { type: 'inverse', source: 'things.parent_id' },
  },
});

const related: Source['fields'] = {
  name: { required: true },
  parent_id: { type: 'relation', to: 'parents', embed: 'parent' },
};

/** A definition as people get it wrong: anything at all. */
type Wrong = Record<string, unknown>;

function faultsOf(wrong: Wrong) {
  const things = { ...source({ scope: 'company', fields: related }), ...wrong };
  return readSources(parents, things).problems.map(({ path, message }) => `${path} ${message}`);
}

const withField = (field: Wrong, more: Wrong = {}): Wrong => ({ fields: { ...related, value: field }, ...more });

/** A board that keeps the places of its cards in a field. */
const onBoard = (field: Wrong): Wrong =>
  withField(field, {
    list: { columns: ['name'], views: ['list', 'kanban'], kanban: { column: 'parent_id', order: 'value' } },
  });

/** Records of things by a field that is called like the key beside it, whose value is called like another resource. */
const ofParts = { resource: 'things', filter: { resource: 'parents', record_id: '$record.id' } };

/** Fields with options, and a parameter that takes them. */
const withStates: Wrong = {
  fields: {
    ...related,
    state: {
      type: 'select',
      options: [
        { value: 'open', label: 'Open', formerValue: 'new' },
        { value: 'done', label: 'Done' },
        { value: 'on hold, waiting', label: 'On hold' },
      ],
    },
    states: {
      type: 'select',
      multiple: true,
      options: [
        { value: 'open', label: 'Open' },
        { value: 'done', label: 'Done' },
      ],
    },
    priority: {
      type: 'select',
      options: [
        { value: 1, label: 'High' },
        { value: 2, label: 'Low' },
      ],
    },
  },
  parameters: { stage: { field: 'state' }, like: { field: 'state', where: { state: { $contains: '$value' } } } },
};

test('only one resource has a switcher', () => {
  const switching = (name: string) => source({ name, scope: 'company', menu: { switcher: {} } });
  expect(readSources(switching('halls'), switching('teams')).problems.map(({ message }) => message)).toEqual([
    '"teams" has a switcher, and lists are narrowed to one record. Remove one of both.',
    '"halls" has a switcher, and lists are narrowed to one record. Remove one of both.',
  ]);
});

describe('a valid definition of a resource', () => {
  test('has no problems', () => expect(faultsOf({})).toEqual([]));

  test.each<[string, Wrong]>([
    ['in a form', withField({ required: { 'parent_id.note': 'x' }, visible: { parent_id: { $some: {} } } })],
    ['in a form, along two relations', withField({ readOnly: { 'parent_id.member_ids.id': 7 } })],
    ['in a rule', { rules: [{ levels: [6], action: 'list', where: { 'parent_id.member_ids': '$actor.id' } }] }],
    ['in a parameter', { parameters: { noted: { kind: 'flag', where: { 'parent_id.note': { $exists: true } } } } }],
    ['in choices', withField({ type: 'relation', to: 'things', choices: { 'parent_id.note': '$form.name' } })],
    [
      'to what the embed of a row contains',
      { list: { columns: ['name'], highlight: { where: { 'parent_id.name': 'x' }, label: 'x', tone: 'high' } } },
    ],
  ])('may test related records %s', (_, right) => expect(faultsOf(right)).toEqual([]));

  test('may have a tab of the page alone, also where its form is a dialog', () => {
    const tab = { name: 'a', label: 'A', resource: 'things', filter: { parent_id: '$record.parent_id' } };
    const form = { dialog: { width: 480 }, tabs: [{ ...tab, pageOnly: true }] };
    expect(faultsOf({ form, page: { related: ['a'] } })).toEqual([]);
    expect(faultsOf({ form: { ...form, tabs: [tab] }, page: { related: ['a'] } })).toEqual([
      '/form/tabs A form in a dialog has no tabs.',
    ]);
  });

  test.each<[string, Wrong]>([
    ['a tab of the form', { form: { tabs: [{ name: 'a', label: 'A', ...ofParts, values: { resource: 'x' } }] } }],
    ['a list that an action opens', { list: { columns: ['name'], actions: [{ name: 'a', goTo: ofParts }] } }],
    [
      'a stream of the page',
      { page: { stream: [{ name: 'a', label: 'A', ...ofParts, time: 'created_at', text: '{record_id}' }] } },
    ],
    ['a list of a request', { requests: { ask: { label: 'Ask', sets: ['name'], list: ofParts } } }],
    [
      'values of an automation',
      {
        automations: [
          {
            name: 'a',
            events: ['create'],
            steps: [{ create: 'things', values: { create: 'parents', record_id: '$record.id', name: 'x' } }],
          },
        ],
      },
    ],
    [
      'values of records that an import makes',
      { import: { creates: { whole_id: { field: 'name', name: 'x', record_id: 7 } } } },
    ],
  ])('may have a field with the name of a key of the language: %s', (_, right) => {
    const names: Source['fields'] = { resource: {}, create: {}, field: {}, record_id: { type: 'number' } };
    const whole: Source['fields'] = { whole_id: { type: 'relation', to: 'things' } };
    expect(faultsOf({ fields: { ...related, ...names, ...whole }, ...right })).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['an option', 'open'],
    ['several options in a text', 'open,done'],
    ['several options in a list', ['open', 'done']],
    ['an option by its former name', 'new'],
    ['an option with a comma', 'on hold, waiting'],
    ['no value', null],
    ['an empty text', ''],
    ['what the record has', '$record.state'],
  ])('may filter by %s', (_, state) => {
    const tabs = [{ name: 'all', label: 'All', filter: { state, stage: state, like: 'op' } }];
    expect(faultsOf({ ...withStates, list: { columns: ['name'], tabs } })).toEqual([]);
    const goTo = { resource: 'things', filter: { state, priority: '2', states: ['open', 'done'] } };
    expect(faultsOf({ ...withStates, list: { columns: ['name'], actions: [{ name: 'a', goTo }] } })).toEqual([]);
  });

  test('includes each definition of the fixture product', () => {
    const { definitions, sources, problems } = readDefinitions(fixtureFiles, validateSource);
    expect(problems).toEqual([]);
    expect(definitions.length).toBe(fixtureFiles.length);
    expect(sources.size).toBe(fixtureFiles.length);
  });
});

describe('an invalid definition is reported with the place:', () => {
  test.each<[string, Wrong, string]>([
    [
      'a switcher that counts records that do not point here',
      { menu: { switcher: { counts: [{ source: 'parents.name', one: 'part', many: 'parts' }] } } },
      '/menu/switcher/counts/0/source "parents.name" is no relation to one record of things. Name one, as "resource.field".',
    ],
    [
      'a switcher that counts records where a field is, which they do not have',
      { menu: { switcher: { counts: [{ source: 'things.nope', one: 'part', many: 'parts' }] } } },
      '/menu/switcher/counts/0/source Unknown field "nope". Did you mean "name"?',
    ],
    [
      'a tile of a page with a column that its list does not have',
      { page: { tiles: [{ name: 'a', label: 'A', resource: 'parents', columns: ['nam'] }] } },
      '/page/tiles/0/columns/0 Unknown column "nam". Did you mean "name"?',
    ],
    [
      'a public form of records of the installation',
      { scope: 'installation', public: { create: { fields: ['name'] } } },
      '/public/create An address of a public form belongs to a company: set "scope": "company", or remove "create".',
    ],
    [
      'a public form with related records that visitors may not see',
      { public: { create: { fields: ['name', 'parent_id'] } } },
      '/public/create/fields/1 Visitors may not see the records of parents: set "public": { "choices": true } there, or take "parent_id" out of the form.',
    ],
    [
      'a public form with a secret',
      withField({ secret: true }, { public: { create: { fields: ['name', 'value'] } } }),
      '/public/create/fields/1 "value" is of type text, which is only for people with an account. Take it out of the form.',
    ],
    [
      'a public form with the author',
      { public: { create: { fields: ['name', 'created_by'] } } },
      '/public/create/fields/1 "created_by" cannot be written. Take it out of the form.',
    ],
    [
      'a public form without a required field',
      withField({ required: true }, { public: { create: { fields: ['name'] } } }),
      '/public/create/fields "value" is required: add it to "fields", or give it a value in "values".',
    ],
    [
      'a public form with a value of another type',
      withField({ type: 'number' }, { public: { create: { fields: ['name'], values: { value: [1] } } } }),
      '/public/create/values/value [1] is no value of "value", a field of type number.',
    ],
    [
      'a public form with a mail to a text',
      { public: { create: { fields: ['name'], mail: { address: 'name', subject: 'x', text: 'x' } } } },
      '/public/create/mail/address "name" must be a field of type email that is in "fields".',
    ],
    [
      'a section of a printed page without an end',
      { print: { template: ['{#name}', 'x'] } },
      '/print/template {#name} has no end {/name}. A section begins with {#name} or {^name} and ends with {/name}.',
    ],
    [
      'a section of a printed page that ends within another',
      { print: { template: ['{#name}{#parent}{/name}{/parent}'] } },
      '/print/template {#parent} is not ended before {/name}. A section begins with {#name} or {^name} and ends with {/name}.',
    ],
    [
      'a printed page with a field that does not exist',
      { print: { template: ['<p>', '{nmae}</p>'] } },
      '/print/template/1 Unknown field or embed "nmae". Did you mean "name"?',
    ],
    [
      'a printed page with a field that an embed does not contain',
      { print: { template: ['{parent.note}'] } },
      '/print/template/0 The embed "parent" does not contain "note": add it to embedFields of parent_id.',
    ],
    [
      'a printed page with a secret',
      { print: { template: ['{#parent}{secret_code}{/parent}'] } },
      '/print/template/0 "secret_code" of parents is never shown: use another field.',
    ],
    [
      'a named export where records cannot be downloaded',
      { export: false, exports: { books: { label: 'Books', columns: ['name'] } } },
      '/exports Records cannot be downloaded: remove "export": false, or else the key "exports".',
    ],
    [
      'a column of a named export that is no field',
      { exports: { books: { label: 'Books', columns: ['nmae'] } } },
      '/exports/books/columns/0 Unknown field "nmae". Did you mean "name"?',
    ],
    [
      'a column of a named export with a field and a text',
      { exports: { books: { label: 'Books', columns: [{ field: 'name', text: 'x' }] } } },
      '/exports/books/columns/0 A column has either a "field" or a "text".',
    ],
    [
      'a text of a named export without a heading',
      { exports: { books: { label: 'Books', columns: [{ text: '8400' }] } } },
      '/exports/books/columns/0 A text has no label: give the column a "heading".',
    ],
    [
      'a text of a named export with a secret of a related record',
      { exports: { books: { label: 'Books', columns: [{ heading: 'x', text: '{parent.secret_code}' }] } } },
      '/exports/books/columns/0/text "secret_code" of parents is secret: nothing can show it, compare it or depend on it. Use another field.',
    ],
    [
      'a separator of a workbook',
      { exports: { books: { label: 'Books', columns: ['name'], separator: ';' } } },
      '/exports/books/separator A workbook has no "separator": remove it, or set "format": "csv".',
    ],
    [
      'a comma between values and before decimals',
      { exports: { books: { label: 'Books', columns: ['name'], format: 'csv', decimalSeparator: ',' } } },
      '/exports/books A number with decimals would look like two values: set "separator": ";" beside "decimalSeparator": ",".',
    ],
    [
      'rows as a column of a named export',
      withField(
        { type: 'rows', fields: { piece: {} } },
        { exports: { books: { label: 'Books', columns: ['value'] } } },
      ),
      '/exports/books/columns/0 "value" holds rows: name their columns one by one, such as "value.piece".',
    ],
    // the schemas
    ['a misspelt key', { lables: {} }, '/lables Unknown property "lables". Did you mean "labels"?'],
    ['a missing key', { labels: { one: 'Thing' } }, '/labels "many" is missing.'],
    ['an unknown type', withField({ type: 'txt' }), '/fields/value/type "txt" must be one of'],
    ['a select without options', withField({ type: 'select' }), '/fields/value "options" is missing.'],
    ['a relation to nowhere', withField({ type: 'relation' }), '/fields/value "to" is missing.'],
    ['a name with capitals', { fields: { Name: {} } }, '/fields/Name "Name" is not a valid name here'],
    ['a name with blanks', { name: 'my things' }, '/name "my things" does not have the required format'],
    [
      '__proto__ as a field',
      JSON.parse('{"fields": {"__proto__": {}}}') as Wrong,
      '/fields/__proto__ "__proto__" is not a valid name here',
    ],
    ['a wrong kind', { fields: [] }, '/fields This must be an object.'],
    ['no fields', { fields: {} }, '/fields This must not be empty.'],
    [
      'an unknown operator',
      withField({ visible: { name: { $like: 'x' } } }),
      '/fields/value/visible/name/$like Unknown property "$like"',
    ],
    ['an invalid level', { rules: [{ levels: [7], action: 'list' }] }, '/rules/0/levels/0 7 must be one of'],
    // names
    ['a name of the program', { name: 'login' }, '/name "login" is reserved by the program'],
    ...['where', 'group_by', 'closed_groups', 'q', 'range', 'fields'].map((name): [string, Wrong, string] => [
      `${name}, which is a word of queries`,
      { fields: { name: {}, [name]: {} } },
      `/fields/${name} "${name}" is reserved by the program`,
    ]),
    [
      'a computed field to compare with',
      {
        fields: {
          name: {},
          amount: { type: 'number' },
          twice: { type: 'number', computed: { $multiply: ['$record.amount', 2] } },
        },
        validate: [{ condition: { amount: { $lt: '$record.twice' } }, field: 'amount', message: 'Too much.' }],
      },
      '/validate/0/condition "$record.twice" is computed, so it is not known',
    ],
    [
      'weekdays of a month',
      {
        automations: [
          { name: 'a', schedule: 'month', weekdays: ['monday'], runAs: 'created_by', steps: [{ set: { name: 'x' } }] },
        ],
      },
      '/automations/0/weekdays "weekdays" belongs to "schedule": "week"',
    ],
    ['a word of queries', { fields: { name: {}, sort: {} } }, '/fields/sort "sort" is reserved by the program'],
    ['archive as a field', { fields: { name: {}, archive: {} } }, '/fields/archive "archive" is reserved'],
    [
      'a name of JavaScript',
      { fields: { name: {}, constructor: {} } },
      '/fields/constructor "constructor" is reserved',
    ],
    [
      'a parameter named as a query word',
      { parameters: { range: { field: 'name' } } },
      '/parameters/range "range" is reserved',
    ],
    [
      'the bound of a range',
      { fields: { name: {}, day: { type: 'date' }, day_from: {} } },
      '/fields/day_from "day_from" is reserved for range filters',
    ],
    [
      'another type for a stamp',
      { fields: { name: {}, created_at: { type: 'text' } } },
      '/fields/created_at/type This is a system field',
    ],
    [
      'a former name that is still there',
      withField({ formerName: 'name' }),
      '/fields/value/formerName A field "name" still exists.',
    ],
    [
      'an embed named as a field',
      withField({ type: 'relation', to: 'users', embed: 'name' }),
      '/fields/value/embed "name" is already used',
    ],
    [
      'two embeds of one name',
      withField({ type: 'relation', to: 'users', embed: 'parent' }),
      '/fields/value/embed "parent" is already',
    ],
    [
      'a count named as a field',
      withField({ type: 'inverse', source: 'parents.created_by', countName: 'name' }),
      '/fields/value/countName "name" is already',
    ],
    // fields
    [
      'an unknown target',
      withField({ type: 'relation', to: 'parent' }),
      '/fields/value/to Unknown resource "parent". Did you mean "parents"?',
    ],
    [
      'an unknown field in an embed',
      withField({ type: 'relation', to: 'users', embedFields: ['mail'] }),
      '/fields/value/embedFields/0 Unknown field "mail" in users.',
    ],
    [
      'a secret in an embed',
      withField({ type: 'relation', to: 'parents', embedFields: ['secret_code'] }),
      '/fields/value/embedFields/0 An embed cannot contain "secret_code"',
    ],
    ['an embed of a text', withField({ embed: 'other' }), '/fields/value/embed Only fields of type relation'],
    [
      'an inverse of nothing',
      withField({ type: 'inverse', source: 'parents.thing_id' }),
      '/fields/value/source Unknown field "thing_id" in parents',
    ],
    [
      'an inverse of another relation',
      withField({ type: 'inverse', source: 'parents.created_by' }),
      '/fields/value/source "parents.created_by" points to users, not to things.',
    ],
    [
      'a sum of a text',
      withField({ type: 'inverse', source: 'parents.created_by', sum: 'name' }),
      '/fields/value/sum "parents.name" is of type text',
    ],
    [
      'an inverse of a text',
      withField({ type: 'inverse', source: 'parents.name' }),
      '/fields/value/source "parents.name" is of type text',
    ],
    [
      'choices by an unknown field',
      withField({ type: 'relation', to: 'parents', choices: { nam: 1 } }),
      '/fields/value/choices Unknown field "nam" in parents. Did you mean "name"?',
    ],
    [
      'choices by an unknown form field',
      withField({ type: 'relation', to: 'parents', choices: { id: '$form.parent' } }),
      '/fields/value/choices Unknown field "parent"',
    ],
    [
      'life within what is never archived',
      withField({ type: 'relation', to: 'users', container: true }),
      '/fields/value/container users cannot be archived.',
    ],
    [
      'a required field that is cleared',
      withField({ type: 'relation', to: 'users', required: true, onDelete: 'clear' }),
      '/fields/value/onDelete A required field',
    ],
    [
      'a depth towards others',
      withField({ type: 'relation', to: 'users', maxDepth: 2 }),
      '/fields/value/maxDepth Only a relation to its own',
    ],
    ['bounds the wrong way', withField({ type: 'number', min: 3, max: 1 }), '/fields/value/min The minimum is greater'],
    [
      'an invalid pattern',
      withField({ pattern: '(' }),
      '/fields/value/pattern This is not a valid regular expression: ',
    ],
    [
      'an invalid pattern of a field that a request sets',
      withField({ pattern: '[a-z]{0x,2}' }, { requests: { set: { label: 'Set', sets: { value: 'a' } } } }),
      '/fields/value/pattern This is not a valid regular expression: ',
    ],
    [
      'an invalid pattern of a field with a default',
      withField({ pattern: '[a-z]{0x,2}', default: 'a' }),
      '/fields/value/pattern This is not a valid regular expression: ',
    ],
    [
      'an option twice',
      withField({
        type: 'select',
        options: [
          { value: 1, label: 'a' },
          { value: 1, label: 'b' },
        ],
      }),
      '/fields/value/options/1 The value 1 is duplicated.',
    ],
    [
      'options of two kinds',
      withField({
        type: 'select',
        options: [
          { value: 1, label: 'a' },
          { value: 'b', label: 'b' },
        ],
      }),
      '/fields/value/options/1 The values must be all numbers',
    ],
    [
      'options of a text',
      withField({ options: [{ value: 1, label: 'a' }] }),
      '/fields/value/options Only a field of type select',
    ],
    [
      'a default of another type',
      withField({ type: 'date', default: 'soon' }),
      '/fields/value/default "soon" is not a valid value of this field.',
    ],
    [
      'a default from nowhere',
      withField({ default: '$tody' }),
      '/fields/value/default Unknown variable "$tody". Did you mean "$today"?',
    ],
    [
      'a condition with a variable that leads further',
      withField({ type: 'text', visible: { name: '$form.name.first' } }),
      '/fields/value/visible "$form.name.first" has more than one property, and only "$form.name" would count. Compare from the other side, with {"$some": …} through the relation.',
    ],
    [
      'an end before nothing',
      withField({ type: 'date', notBefore: 'begin' }),
      '/fields/value/notBefore Unknown field "begin"',
    ],
    [
      'an end before a text',
      withField({ type: 'date', notBefore: 'name' }),
      '/fields/value/notBefore Both fields must be dates',
    ],
    [
      'a template of unknown fields',
      withField({ computed: '{nme}' }),
      '/fields/value/computed Unknown field "nme". Did you mean "name"?',
    ],
    [
      'a secret that an expression computes',
      withField({ secret: true, computed: { $concat: ['$record.name', '!'] } }),
      '/fields/value/computed An expression gives one value that is read with its record, and this field is "secret".',
    ],
    [
      'several values that an expression computes',
      withField({
        type: 'select',
        multiple: true,
        options: [{ value: 'a', label: 'A' }],
        computed: { $concat: ['$record.name', '!'] },
      }),
      '/fields/value/computed An expression gives one value that is read with its record, and this field is "multiple".',
    ],
    [
      'a condition as text',
      withField({ computed: { name: 'x' } }),
      '/fields/value/type A field computed by a condition',
    ],
    // conditions
    [
      'an unknown field in a condition',
      withField({ visible: { nme: 'x' } }),
      '/fields/value/visible Unknown field "nme"',
    ],
    [
      'a property nobody has',
      withField({ required: { '$actor.levl': 2 } }),
      '/fields/value/required Unknown property of $actor "levl". Did you mean "level"?',
    ],
    [
      'a number that is a text',
      withField({ visible: { parent_id: 'one' } }),
      '/fields/value/visible "parent_id" can never be "one"',
    ],
    [
      'relatives of a text',
      withField({ visible: { name: { $some: {} } } }),
      '/fields/value/visible A path or $some needs a field with related records',
    ],
    [
      'a path to nothing',
      withField({ visible: { 'parent_id.nam': 'x' } }),
      '/fields/value/visible Unknown field "nam" in parents.',
    ],
    [
      'a path through a text',
      withField({ required: { 'name.length': 1 } }),
      '/fields/value/required A path or $some needs a field with related records, but "name" is of type text.',
    ],
    [
      'a path with blanks',
      { rules: [{ levels: [6], action: 'list', where: { 'parent_id. name': 'x' } }] },
      '/rules/0/where/parent_id. name "parent_id. name" is not a path',
    ],
    [
      'a path to another type',
      { rules: [{ levels: [6], action: 'list', where: { 'parent_id.name': 1 } }] },
      '/rules/0/where "name" can never be 1',
    ],
    [
      'a path to a secret',
      withField({ readOnly: { 'parent_id.secret_code': 'x' } }),
      '/fields/value/readOnly "secret_code" of parents is secret',
    ],
    [
      'records that point at this one, in a form',
      {
        fields: {
          ...related,
          parts: { type: 'inverse', source: 'things.thing_id' },
          thing_id: { type: 'relation', to: 'things', visible: { 'parts.name': 'x' } },
        },
      },
      '/fields/thing_id/visible A form knows the records that this one refers to, but not those of "parts".',
    ],
    [
      'a path out of an embed',
      { list: { columns: ['name'], highlight: { where: { 'parent_id.things.name': 'x' }, label: 'x', tone: 'high' } } },
      '/list/highlight/where Records of lists and forms don\'t contain what this tests in "parent_id".',
    ],
    [
      'a path through what is not embedded',
      {
        fields: { ...related, owner_id: { type: 'relation', to: 'parents' } },
        form: { redirects: [{ to: '/x', where: { 'owner_id.name': 'x' } }] },
      },
      '/form/redirects/0/where Records of lists and forms don\'t contain this field of "owner_id": give owner_id an "embed".',
    ],
    [
      'relatives of a marked row',
      {
        list: {
          columns: ['name'],
          highlight: { where: { parent_id: { $some: { note: 'x' } } }, label: 'x', tone: 'high' },
        },
      },
      '/list/highlight/where Records of lists and forms don\'t contain this field of "parent_id": add "note" to embedFields of parent_id.',
    ],
    [
      'counts of the signed-in in a rule',
      { rules: [{ levels: [6], action: 'list', where: { '$actor.totalParents': 0 } }] },
      '/rules/0/where Unknown property of $actor "totalParents"',
    ],
    [
      'an unknown field of relatives',
      { rules: [{ levels: [6], action: 'list', where: { parent_id: { $some: { members: 1 } } } }] },
      '/rules/0/where Unknown field "members" in parents.',
    ],
    [
      'a relative day of no unit',
      withField({ visible: { created_at: { $lt: '$today+7x' } } }),
      '/fields/value/visible "$today+7x" is no day or time. Write "$today" with d, w, m or y',
    ],
    [
      'an hour of a day',
      { rules: [{ levels: [6], action: 'list', where: { created_at: { $lt: '$today-3h' } } }] },
      '/rules/0/where "$today-3h" is no day or time.',
    ],
    [
      'a default of no unit',
      withField({ type: 'date', default: '$today+x' }),
      '/fields/value/default Unknown variable "$today+x"',
    ],
    ['a bare variable', withField({ visible: { $actor: 1 } }), '/fields/value/visible'],
    // lists
    [
      'a column of nothing',
      { list: { columns: ['nam'] } },
      '/list/columns/0 Unknown field "nam". Did you mean "name"?',
    ],
    ['a column twice', { list: { columns: ['name', 'name*'] } }, '/list/columns/1 The column "name" is duplicated.'],
    [
      'a column through no embed',
      { list: { columns: ['parnt.name'] } },
      '/list/columns/0 Unknown embed "parnt". Did you mean "parent"?',
    ],
    [
      'a column through a second step of nothing',
      { list: { columns: ['parent.creatd_by.name'] } },
      '/list/columns/0 Unknown embed "creatd_by" in parents. Did you mean "created_by"?',
    ],
    [
      'a path that is too long',
      { list: { columns: [`${'parent.'.repeat(5)}a_name_that_takes_too_many_characters`] } },
      '/list/columns/0 "parent.parent.parent.parent.parent.a_name_that_takes_too_many_characters" has more than 63 characters.',
    ],
    [
      'an order by a path to a record',
      { list: { sort: 'parent.created_by' } },
      '/list/sort "parent.created_by" is of type relation',
    ],
    [
      'a filter by a path to nothing',
      { list: { filters: { 'parent.nam': {} } } },
      '/list/filters/parent.nam Unknown field "nam"',
    ],
    [
      'a call on several records with the id of one',
      { list: { actions: [{ name: 'go', calls: { path: 'things/{id}/go', idsProperty: 'things' } }] } },
      '/list/actions/0/calls/idsProperty A call on several records has their ids in its body. Take "{id}" out of its path.',
    ],
    [
      'a second line of nothing',
      { list: { columns: [{ field: 'name', secondLine: ['id', 'nam'] }] } },
      '/list/columns/0/secondLine/1 Unknown field "nam". Did you mean "name"?',
    ],
    [
      'a record that is late since a text',
      { list: { highlight: { where: { name: 'x' }, tone: 'urgent', label: 'Late', lateSince: 'name' } } },
      '/list/highlight/lateSince "name" is of type text. Name a date field.',
    ],
    [
      'a secret that stays for the next record',
      withField(
        { type: 'text', secret: true },
        { form: { sections: [{ label: 'All', fields: ['name', 'value'] }], keep: ['value'] } },
      ),
      '/form/keep/0 "value" is of type text, whose values do not stay for the next record.',
    ],
    [
      'a bar of texts',
      { list: { columns: [{ field: 'name', parts: [{ field: 'id' }, { field: 'name' }] }] } },
      '/list/columns/0/parts/1/field "name" is of type text: the parts of a bar are numbers.',
    ],
    [
      'a key of a card with initials',
      { list: { card: { key: 'name' } } },
      '/list/card/key Only a card with "mark": "none" shows a key above its title.',
    ],
    ['an order by nothing', { list: { sort: '-nam' } }, '/list/sort Unknown field "nam"'],
    [
      'an order by a long text',
      withField({ type: 'richText' }, { list: { sortChoices: ['value'] } }),
      '/list/sortChoices/0 Lists cannot be sorted by "value"',
    ],
    [
      'a grouping by a text',
      { list: { group: { field: 'name' } } },
      '/list/group/field Lists cannot be grouped by "name", a field of type text. Choose a relation to one record, a field with options, yes or no, or a date.',
    ],
    [
      'a grouping by a date without its period',
      withField({ type: 'date' }, { list: { group: { field: 'value' } } }),
      '/list/group/field Dates are grouped by periods. Write "value:month", or day, week, quarter or year.',
    ],
    [
      'a period of what is no date',
      withField({ type: 'boolean' }, { list: { group: { field: 'value:month' } } }),
      '/list/group/field "value" is no date, so it has no periods. Write "value".',
    ],
    [
      'a grouping that users cannot choose',
      withField({ type: 'boolean' }, { list: { group: { field: 'value', fields: ['parent_id'] } } }),
      '/list/group/fields The list is grouped by "value" at first, which is not among the fields. Add it.',
    ],
    [
      'a grouping of a view by nothing',
      { list: { saved: [{ name: 'mine', label: 'Mine', group: 'nam' }] } },
      '/list/saved/0/group Unknown field "nam"',
    ],
    ...[{ type: 'text', secret: true }, { type: 'number' }, { type: 'number', secret: true, integer: true }].map(
      (field): [string, Wrong, string] => [
        `a board in the order of ${JSON.stringify(field)}`,
        onBoard(field),
        '/list/kanban/order "value" must be a number that is secret, and neither whole nor read-only',
      ],
    ),
    ...[{ required: true }, { unique: true }, { default: 0 }, { min: 0 }, { max: 9 }].map(
      (limit): [string, Wrong, string] => [
        `a board in the order of a number with ${JSON.stringify(limit)}`,
        onBoard({ type: 'number', secret: true, ...limit }),
        '/list/kanban/order "value" must be neither required nor unique nor limited, and have no default',
      ],
    ),
    [
      'a menu that counts by nothing',
      { menu: { count: { where: { nam: 1 }, label: '{count} things' } } },
      '/menu/count/where Unknown field "nam"',
    ],
    [
      'a total of a text',
      { list: { totals: { name: 'sum' } } },
      '/list/totals/name "name" has no total, because it is of type text. Totals are of numbers, amounts of money and durations.',
    ],
    [
      'a filter of nothing',
      { list: { filters: { parent: {} } } },
      '/list/filters/parent Unknown field or parameter "parent". Did you mean "parent_id"?',
    ],
    ['a range of a text', { list: { filters: { name: { range: true } } } }, '/list/filters/name/range Only dates'],
    [
      'a misspelt layout',
      { list: { views: ['list', 'lsit'] } },
      '/list/views/1 "lsit" must be one of "list", "cards", "kanban", "calendar", "timeline", "gallery". Did you mean "list"?',
    ],
    [
      'a view that is named as a layout of the product',
      { list: { views: ['list', 'on-map'], saved: [{ name: 'on-map', label: 'Map' }] } },
      '/list/saved/0/name "on-map" is also a layout of the list',
    ],
    [
      'a view in a layout that the list does not have',
      { list: { saved: [{ name: 'mine', label: 'Mine', view: 'on-map' }] } },
      '/list/saved/0/view The list has no layout "on-map": add it to "views".',
    ],
    ['cards without a card', { list: { views: ['cards'] } }, '/list/views The view "cards" needs a "card".'],
    [
      'a count of a text',
      { list: { card: { counts: [{ field: 'name', one: 'a', many: 'b' }] } } },
      '/list/card/counts/0/field "name" has no count',
    ],
    ['an icon that is none', { list: { card: { mark: 'name' } } }, '/list/card/mark "name" is not an icon field.'],
    [
      'a menu that warns of records of an unknown resource',
      { menu: { alert: { resource: 'parnets', where: { name: 'x' }, label: 'x' } } },
      '/menu/alert/resource Unknown resource "parnets". Did you mean "parents"?',
    ],
    [
      'a menu that warns of records by a field that they do not have',
      { menu: { alert: { resource: 'parents', where: { nam: 'x' }, label: 'x' } } },
      '/menu/alert/where Unknown field "nam" in parents. Did you mean "name"?',
    ],
    [
      'a menu that looks among records by a secret',
      { menu: { alert: { resource: 'parents', among: { secret_code: 'x' }, where: { name: 'x' }, label: 'x' } } },
      '/menu/alert/among "secret_code" of parents is secret: nothing can show it, compare it or depend on it. Use another field.',
    ],
    [
      'a menu that looks at the newest record of each text',
      { menu: { alert: { resource: 'things', where: { name: 'x' }, label: 'x', latestPer: 'name' } } },
      '/menu/alert/latestPer "name" is of type text, not a relation.',
    ],
    [
      'a menu that looks at the newest record of each of many related ones',
      { menu: { alert: { resource: 'parents', where: { name: 'x' }, label: 'x', latestPer: 'member_ids' } } },
      '/menu/alert/latestPer "member_ids" is of type relations, not a relation.',
    ],
    [
      'a menu that looks at the newest record by an unknown field',
      { menu: { alert: { resource: 'things', where: { name: 'x' }, label: 'x', latestPer: 'parent' } } },
      '/menu/alert/latestPer Unknown field "parent". Did you mean "parent_id"?',
    ],
    [
      'a tab of the page alone that the page does not name',
      {
        form: { tabs: [{ name: 'a', label: 'A', ...ofParts, filter: { name: 'x' }, pageOnly: true }] },
        page: { related: [] },
      },
      '/form/tabs/0/pageOnly Nothing shows this tab: name "a" in "related" of the page.',
    ],
    [
      'an unknown entry of a menu',
      { list: { card: { menu: ['remove'] } } },
      '/list/card/menu/0 Unknown row action "remove".',
    ],
    [
      'an unknown row action',
      { list: { actions: ['edti'] } },
      '/list/actions/0 Unknown row action "edti". Did you mean "edit"?',
    ],
    [
      'a goal that is none',
      { list: { actions: [{ name: 'go', goTo: { resource: 'elsewhere' } }] } },
      '/list/actions/0/goTo/resource Unknown resource "elsewhere".',
    ],
    [
      'a goal with an unknown filter',
      { list: { actions: [{ name: 'go', goTo: { resource: 'parents', filter: { thing: 1 } } }] } },
      '/list/actions/0/goTo/filter/thing Unknown field "thing" in parents',
    ],
    [
      'unarchiving without an archive',
      { list: { actions: ['unarchive'] } },
      '/list/actions "unarchive" needs records that can be archived',
    ],
    [
      'an exported column that the list has not',
      { list: { columns: ['name'] }, export: { columns: ['nothing'] } },
      '/export/columns/0 There is no field or column "nothing".',
    ],
    [
      'bulk editing what is read-only',
      { list: { bulkEdit: ['created_at'] } },
      '/list/bulkEdit/0 "created_at" cannot be written.',
    ],
    [
      'editing in a cell what is read-only',
      { list: { inlineEdit: ['created_at'] } },
      '/list/inlineEdit/0 "created_at" cannot be written.',
    ],
    [
      'editing in a cell what has no room there',
      { fields: { name: { type: 'text' }, notes: { type: 'richText' } }, list: { inlineEdit: ['notes'] } },
      '/list/inlineEdit/0 "notes" is of type richText, which a cell has no room for. Edit it in the form.',
    ],
    // forms, titles, access
    ['a title of nothing', { recordTitle: '{nam}' }, '/recordTitle Unknown field "nam"'],
    ['a title without a field', { recordTitle: 'A thing' }, '/recordTitle The title must contain a field'],
    [
      'an unknown detail of choices',
      { choices: { detail: ['id', 'nam'] } },
      '/choices/detail/1 Unknown field "nam". Did you mean "name"?',
    ],
    [
      'a long text as detail of choices',
      { fields: { ...related, note: { type: 'richText' } }, choices: { detail: ['note'] } },
      '/choices/detail/0 "note" is not suitable beside a title. Use a stored field of type text, number',
    ],
    [
      'a count in the wrong title',
      { titles: { create: 'Add {total}' } },
      '/titles/create Unknown placeholder "{total}".',
    ],
    [
      'a section of nothing',
      { form: { sections: [{ label: 'A', fields: ['name', 'nam'] }] } },
      '/form/sections/0/fields/1 Unknown field "nam"',
    ],
    [
      'a field in two sections',
      {
        form: {
          sections: [
            { label: 'A', fields: ['name'] },
            { label: 'B', fields: ['name'] },
          ],
        },
      },
      '/form/sections/1/fields/0 "name" is already in the section "A".',
    ],
    ...(
      [
        ['of another section', ['note'], '1/fields/0 "note" is not in the section "A". Add it to "fields".'],
        ['that are both', ['parent_id'], '1/fields/0 "parent_id" is already in the alternative "One".'],
        ['that are required', ['name'], '1/fields/0 "name" is required, but hidden while another'],
      ] as const
    ).map(
      ([what, fields, message]) =>
        [
          `alternatives ${what}`,
          {
            form: {
              sections: [
                {
                  label: 'A',
                  fields: ['name', 'parent_id'],
                  alternatives: [
                    { label: 'One', fields: ['parent_id'] },
                    { label: 'Other', fields: [...fields] },
                  ],
                },
              ],
            },
          },
          `/form/sections/0/alternatives/${message}`,
        ] as [string, Wrong, string],
    ),
    [
      'a required field in no section',
      { form: { sections: [{ label: 'A', fields: ['parent_id'] }] } },
      '/form/sections "name" is required, but is not in any section.',
    ],
    [
      'a redirect by nothing',
      { form: { redirects: [{ where: { nam: 1 }, to: '/' }] } },
      '/form/redirects/0/where Unknown field "nam"',
    ],
    [
      'a question by nothing',
      { delete: { confirmations: [{ where: { nam: 1 }, confirm: 'Sure?' }] } },
      '/delete/confirmations/0/where Unknown field "nam"',
    ],
    [
      'a rule on nothing',
      { rules: [{ levels: [4], action: 'edit', fields: ['nam'] }] },
      '/rules/0/fields/0 Unknown field "nam"',
    ],
    [
      'a rule both ways',
      { rules: [{ levels: [4], action: 'edit', fields: ['name'], exceptFields: ['name'] }] },
      '/rules/0 A rule has either "fields" or "exceptFields"',
    ],
    ['a parameter of nothing', { parameters: { by: {} } }, '/parameters/by A parameter needs'],
    [
      'a parameter of a resource that does not exist',
      { parameters: { by: { where: { id: '$value' }, resource: 'parent' } } },
      '/parameters/by/resource Unknown resource "parent". Did you mean "parents"?',
    ],
    [
      'a condition of a column on a field of the record',
      withField({ type: 'rows', fields: { piece: {}, note: { required: { name: 'x' } } } }),
      '/fields/value/fields/note/required Unknown field "name". Did you mean "note"?',
    ],
    [
      'a condition of a column on the record that another column refers to',
      withField({
        type: 'rows',
        fields: { piece_id: { type: 'relation', to: 'parents' }, note: { required: { 'piece_id.note': 'x' } } },
      }),
      '/fields/value/fields/note/required A row knows its own columns, not the records that they refer to.',
    ],
    [
      'a field of the page after saving that does not exist',
      { form: { redirects: [{ to: '/parents/{parnt_id}' }] } },
      '/form/redirects/0/to Unknown field "parnt_id". Did you mean "parent_id"?',
    ],
    [
      'a parameter named as a field',
      { parameters: { name: { where: { id: '$value' } } } },
      '/parameters/name "name" is a field',
    ],
    [
      'a flag without meaning',
      { parameters: { by: { kind: 'flag' } } },
      '/parameters/by A parameter of kind "flag" needs',
    ],
    [
      '$value outside parameters',
      withField({ visible: { name: '$value' } }),
      '/fields/value/visible $value can be used only in parameters.',
    ],
    [
      'archiving along what does not point here',
      { archive: { cascade: ['parents.created_by'] } },
      '/archive/cascade/0 "parents.created_by" is not a relation to things.',
    ],
    [
      'archiving along what cannot be',
      { archive: { cascade: ['users.created_by'] } },
      '/archive/cascade/0 users cannot be archived.',
    ],
    ['comments on shared records', { scope: 'installation', comments: true }, '/comments Only records that belong to'],
    ['comments without a place', { comments: { form: false } }, '/comments/form Without a page the form is the only'],
    ['a watcher that is no field', { comments: { watchers: ['owner'] } }, '/comments/watchers/0 Unknown field "owner"'],
    ['a watcher that is nobody', { comments: { watchers: ['name'] } }, '/comments/watchers/0 "name" does not refer to'],
    ['an index on nothing', { indexes: [['name', 'nam']] }, '/indexes/0/1 Unknown field "nam"'],
    [
      'a validation rule at nothing',
      { validate: [{ condition: { name: 'x' }, field: 'nam', message: 'No.' }] },
      '/validate/0/field Unknown field "nam"',
    ],
    [
      'a validation rule that nobody could obey',
      { validate: [{ condition: { name: 'x' }, field: 'created_at', message: 'No.' }] },
      '/validate/0/field "created_at" cannot be written',
    ],
    [
      'a validation rule that always holds',
      { validate: [{ condition: {}, field: 'name', message: 'No.' }] },
      '/validate/0/condition An empty condition always holds',
    ],
    [
      'a validation rule that reads what related records lack',
      { validate: [{ condition: { 'parent_id.nam': 'x' }, field: 'name', message: 'No.' }] },
      '/validate/0/condition Unknown field "nam" in parents.',
    ],
    [
      'a validation rule under an impossible condition',
      { validate: [{ condition: { name: 'x' }, where: { nme: 1 }, field: 'name', message: 'No.' }] },
      '/validate/0/where Unknown field "nme"',
    ],
    ...(
      [
        ['of nothing', { sets: { nam: 'x' } }, '/sets/nam Unknown field "nam"'],
        ['that is impossible', { sets: { name: 5 } }, '/sets/name 5 is not a valid value of "name".'],
        ['of a stamp', { sets: { created_at: '$now' } }, '/sets/created_at "created_at" cannot be set to a value.'],
        ['of an unknown variable', { sets: { name: '$actor.nme' } }, '/sets/name Unknown variable "$actor.nme"'],
        ['that is asked for', { sets: { name: 'x' }, asks: ['name'] }, '/asks/0 "name" has a fixed value in "sets"'],
        ['where it never is', { sets: { name: 'x' }, where: { nme: 1 } }, '/where Unknown field "nme"'],
        ['that is missing', { sets: ['name'], asks: ['name'] }, '/asks A request asks for fields beside fixed values'],
      ] as const
    ).map(([what, request, problem]): [string, Wrong, string] => [
      `a fixed value ${what}`,
      { requests: { fix: { label: 'Fix', ...request } } },
      `/requests/fix${problem}`,
    ]),
    ...(
      [
        ['from nothing', { from: 'c', to: 'b' }, '/transitions/0/from "c" is not an option of this field: "a", "b".'],
        ['to nothing', { from: 'a', to: ['b', 'c'] }, '/transitions/0/to "c" is not an option'],
        ['to itself', { from: 'a', to: ['a', 'b'] }, '/transitions/0/to "a" to itself is no change'],
        [
          'that needs nothing known',
          { from: 'a', to: 'b', requiredFields: ['nme'] },
          '/transitions/0/requiredFields/0 Unknown field "nme"',
        ],
        [
          'that needs a stamp',
          { from: 'a', to: 'b', requiredFields: ['id'] },
          '/transitions/0/requiredFields/0 "id" cannot be filled in',
        ],
        [
          'that is impossible',
          { from: 'a', to: 'b', where: { value: 'c' } },
          '/transitions/0/where "value" can never be "c"',
        ],
        ['that leaves an option', { from: 'b', to: 'a' }, '/options/1 No transition leads from "a" to "b"'],
      ] as const
    ).map(([what, transition, problem]): [string, Wrong, string] => [
      `a transition ${what}`,
      withField({
        type: 'select',
        options: ['a', 'b'].map((value) => ({ value, label: value })),
        initial: 'a',
        transitions: [transition],
      }),
      `/fields/value${problem}`,
    ]),
    ...(
      [
        ['by ids', { transitions: [{ from: 1, to: 2 }] }, '/transitions/0/from Transitions of a relation name records'],
        [
          'without an embed',
          { embed: undefined },
          ' Lists and forms tell the state of a record by its embed: add "embed"',
        ],
        ['by a field that there is not', { transitionsBy: 'code' }, '/transitionsBy parents has no field "code".'],
        ['by a number', { transitionsBy: 'id' }, '/transitionsBy "id" of parents is not a stored text.'],
        ['by a name of several records', {}, '/transitions "name" of parents is not unique'],
        ['to itself', { transitions: [{ from: 'a', to: 'a' }] }, '/transitions/0/to "a" to itself is no change'],
        [
          'that never begins',
          { initial: 'a', transitions: [{ from: 'b', to: 'a' }] },
          '/transitions/0/from No transition leads from "a" to "b", so no record could get it.',
        ],
        ['with a default', { initial: 'a', default: 3 }, '/default A new record gets the value of "initial"'],
        [
          'that only says how it names',
          { transitions: undefined, transitionsBy: 'name' },
          '/transitionsBy "transitionsBy" says how "transitions" name records',
        ],
      ] as const
    ).map(([what, more, problem]): [string, Wrong, string] => [
      `a transition between records ${what}`,
      withField({
        type: 'relation',
        to: 'parents',
        embed: 'value_of',
        transitions: [{ from: 'a', to: 'b' }],
        ...more,
      } as never),
      `/fields/value${problem}`,
    ]),
    ['a unique combination of nothing', { unique: [['name', 'nam']] }, '/unique/0/1 Unknown field "nam"'],
    [
      'a unique combination with a list of records',
      withField({ type: 'relations', to: 'parents' }, { unique: [{ fields: ['name', 'value'] }] }),
      '/unique/0/fields/1 "value" has no single stored value, so it cannot be unique. Name another field.',
    ],
    [
      'a unique combination that depends on who asks',
      { unique: [{ fields: ['name'], where: { created_by: '$actor.id' } }] },
      '/unique/0/where $actor.id differs from call to call. Compare with a fixed value here.',
    ],
    [
      'a unique combination that orders dates',
      withField({ type: 'date' }, { unique: [{ fields: ['name'], where: { value: { $gt: '2026-01-01' } } }] }),
      '/unique/0/where "value" is a date: only whether it is empty',
    ],
    [
      'a unique combination that reads other records',
      { unique: [{ fields: ['name'], where: { parent_id: { $some: { name: 'x' } } } }] },
      '/unique/0/where A path or $some reads related records',
    ],
    [
      'itself required',
      withField({ type: 'relation', to: 'things', required: true }),
      '/fields/value/required No record could ever be created: things → things require each other.',
    ],
    [
      'shared records of one company',
      { scope: 'installation' },
      '/fields/parent_id/to Records of the installation cannot point to parents',
    ],
  ])('%s', (_, wrong, expected) => {
    const found = faultsOf(wrong);
    expect(
      found.filter((one) => one.startsWith(expected)),
      found.join('\n'),
    ).toHaveLength(1);
  });

  test.each<[string, Wrong, string]>([
    ['a tab', { state: 'opne' }, 'state Unknown value "opne". Did you mean "open"?'],
    ['a tab, by a parameter', { stage: 'opne' }, 'stage Unknown value "opne". Did you mean "open"?'],
    ['a tab, among several', { state: 'open,dnoe' }, 'state Unknown value "dnoe". Did you mean "done"?'],
    ['a tab, in a list', { states: ['done', 'opne'] }, 'states Unknown value "opne". Did you mean "open"?'],
    ['a tab, by a number', { priority: 4 }, 'priority Unknown value "4". '],
  ])('an option that does not exist in the filter of %s', (_, filter, message) => {
    const list = { columns: ['name'], tabs: [{ name: 'all', label: 'All', filter }] };
    const [tab, ...others] = faultsOf({ ...withStates, list });
    expect(others).toEqual([]);
    expect(`${tab} `).toContain(`/list/tabs/0/filter/${message}`);
    const form = { tabs: [{ name: 'a', label: 'A', resource: 'things', filter }] };
    expect(`${faultsOf({ ...withStates, form })[0]} `).toContain(`/form/tabs/0/filter/${message}`);
  });

  test('relations that require one another', () => {
    const a = source({ name: 'aa', fields: { name: {}, b: { type: 'relation', to: 'bb', required: true } } });
    const b = source({ name: 'bb', fields: { name: {}, a: { type: 'relation', to: 'aa', required: true } } });
    const messages = readSources(a, b).problems.map(({ message }) => message);
    expect(messages).toEqual([expect.stringContaining('aa → bb → aa'), expect.stringContaining('bb → aa → bb')]);
  });
});

describe('a problem of a definition is reported', () => {
  const good = { file: 'resources/users.json', text: JSON.stringify(source({ name: 'users' })) };

  test('with file, path and line', () => {
    const text = JSON.stringify(source({ list: { columns: ['id', 'nam'] } }), null, 2);
    const line = text.split('\n').findIndex((one) => one.includes('nam"') && !one.includes('name')) + 1;
    const { problems } = readDefinitions([good, { file: 'resources/things.json', text }], validateSource);
    expect(problems).toEqual([
      {
        file: 'resources/things.json',
        path: '/list/columns/1',
        line,
        message: 'Unknown field "nam". Did you mean "name"?',
      },
    ]);
  });

  test('with the line above where the place itself is missing', () => {
    const text = '{\n  "name": "things",\n  "labels": {\n    "one": "Thing"\n  },\n  "fields": { "name": {} }\n}';
    const { problems } = readDefinitions([good, { file: 'things.json', text }], validateSource);
    expect(problems).toEqual([{ file: 'things.json', path: '/labels', line: 3, message: '"many" is missing.' }]);
  });

  test('for invalid JSON', () => {
    const { problems, definitions } = readDefinitions(
      [good, { file: 'things.json', text: '{\n  "name": \n}' }],
      validateSource,
    );
    expect(problems).toEqual([expect.objectContaining({ file: 'things.json', line: 3 })]);
    expect(definitions.map(({ name }) => name)).toEqual(['users']);
  });

  test('and references to a broken file are not reported', () => {
    const child = source({ name: 'children', fields: { name: {}, thing_id: { type: 'relation', to: 'things' } } });
    const files = [good, { file: 'things.json', text: '{' }, { file: 'children.json', text: JSON.stringify(child) }];
    expect(readDefinitions(files, validateSource).problems.map(({ file }) => file)).toEqual(['things.json']);
  });

  test('when two files define one resource', () => {
    const again = { ...good, file: 'other/users.json' };
    expect(readDefinitions([good, again], validateSource).problems).toEqual([
      { file: 'other/users.json', path: '/name', line: 1, message: 'resources/users.json already defines "users".' },
    ]);
  });

  test('for a wrong file name', () => {
    const { problems } = readDefinitions([{ ...good, file: 'people.json' }], validateSource);
    expect(problems.map(({ message }) => message)).toEqual(['The file of "users" must be named users.json.']);
  });
});

describe('shipped rows', () => {
  const things = definition({ fields: { name: { required: true, maxLength: 5 }, size: { type: 'number' } } });

  test.each([
    [[{ id: 1, name: 'a', size: null }], []],
    [{}, [' This must be a list of rows.']],
    [[{ name: 'a' }], ['/0/id A row needs an id: a whole number from 1.']],
    [
      [
        { id: 1, name: 'a' },
        { id: 1, name: 'b' },
      ],
      ['/1/id The id 1 is duplicated.'],
    ],
    [[{ id: 1 }], ['/0/name "name" is missing.']],
    [[{ id: 1, name: 'abcdef' }], ['/0/name Name must have at most 5 characters.']],
    [[{ id: 1, nme: 'a', name: 'b' }], ['/0/nme Unknown field "nme". Did you mean "name"?']],
    [[{ id: 1, name: 'a', size: 'big' }], ['/0/size Size must be a number.']],
    [[7], ['/0 This must be a row: an object.']],
  ])('%j', (rows, expected) => {
    expect(checkRows(things, rows).map(({ path, message }) => `${path} ${message}`)).toEqual(expected);
  });
});

describe('a secret field is refused wherever it would be shown, compared or joined', () => {
  const secret = { type: 'password' };
  const places: Record<string, [more: Wrong, path: string]> = {
    'a rule': [{ rules: [{ levels: [3], action: 'list', where: { pin: { $contains: 'a' } } }] }, '/rules/0/where'],
    'a rule through a relation': [
      { rules: [{ levels: [3], action: 'list', where: { parent_id: { $some: { secret_code: 'x' } } } }] },
      '/rules/0/where',
    ],
    'a variable': [{ rules: [{ levels: [3], action: 'edit', where: { name: '$record.pin' } }] }, '/rules/0/where'],
    'a parameter': [{ parameters: { guess: { field: 'pin' } } }, '/parameters/guess/field'],
    "a parameter's condition": [{ parameters: { g: { where: { pin: '$value' } } } }, '/parameters/g/where'],
    'the title': [{ recordTitle: '{pin}' }, '/recordTitle'],
    'a title of a screen': [{ titles: { edit: '{pin}' } }, '/titles/edit'],
    'a column': [{ list: { columns: ['pin'] } }, '/list/columns/0'],
    'the order': [{ list: { sort: 'pin' } }, '/list/sort'],
    'a filter': [{ list: { filters: { pin: {} } } }, '/list/filters/pin'],
    'a tab': [{ list: { tabs: [{ name: 'a', label: 'A', filter: { pin: 'x' } }] } }, '/list/tabs/0/filter/pin'],
    'a card': [{ list: { views: ['list', 'cards'], card: { title: '{pin}' } } }, '/list/card/title'],
    'a line of a card': [
      { list: { views: ['list', 'cards'], card: { title: '{name}', lines: ['pin'] } } },
      '/list/card/lines/0',
    ],
    'a highlight': [
      { list: { highlight: { where: { pin: 'x' }, tone: 'high', label: 'x' } } },
      '/list/highlight/where',
    ],
    'one of several highlights': [
      {
        list: {
          highlight: [
            { where: { name: 'x' }, tone: 'high', label: 'x' },
            { where: { pin: 'x' }, tone: 'low', label: 'y' },
          ],
        },
      },
      '/list/highlight/1/where',
    ],
    'an import': [{ import: { fields: ['name', 'pin'] } }, '/import/fields/1'],
    'what tells apart': [{ choices: { detail: ['pin'] } }, '/choices/detail/0'],
    'an index': [{ indexes: [['pin']] }, '/indexes/0/0'],
  };

  test.each(Object.entries(places))('%s', (_name, [more, path]) => {
    const faults = faultsOf({ fields: { ...related, pin: secret }, ...more });
    expect(faults.join('\n')).toContain(`${path} `);
    expect(faults.join('\n')).toMatch(/is secret: nothing can show it|Unknown placeholder "\{pin\}"/);
  });

  test.each([
    ['a template', { type: 'text', computed: '{name} {pin}' }, '/fields/value/computed'],
    ['a computed condition', { type: 'boolean', computed: { pin: { $exists: true } } }, '/fields/value/computed'],
    ['a condition of a field', { type: 'text', visible: { pin: 'x' } }, '/fields/value/visible'],
    ['choices', { type: 'relation', to: 'parents', choices: { secret_code: 'x' } }, '/fields/value/choices'],
  ])('%s', (_name, field, path) => {
    const faults = faultsOf({ fields: { ...related, pin: secret, value: field } });
    expect(faults).toEqual([expect.stringContaining(`${path} `)]);
    expect(faults[0]).toContain('is secret: nothing can show it, compare it or depend on it. Use another field.');
  });

  test('it cannot be unique: a refusal would reveal a value', () => {
    expect(faultsOf(withField({ secret: true, unique: true }))).toEqual([
      expect.stringContaining('/fields/value/unique A secret field cannot be unique'),
    ]);
  });
});
