import { describe, expect, test } from 'vitest';
import { checkRows } from '../../src/engine/definitions/check-rows';
import { readDefinitions } from '../../src/engine/definitions/read';
import type { Source } from '../../src/engine/definitions/source';
import { definition, judge, readSources, shippedFiles, source } from './support/definitions';

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
    things: { type: 'inverse', of: 'things.parent_id' },
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
  return readSources(parents, things).faults.map(({ path, message }) => `${path} ${message}`);
}

const withField = (field: Wrong, more: Wrong = {}): Wrong => ({ fields: { ...related, value: field }, ...more });

describe('a definition that is right', () => {
  test('has no faults', () => expect(faultsOf({})).toEqual([]));

  test('ships', () => {
    const { definitions, sources, faults } = readDefinitions(shippedFiles, judge);
    expect(faults).toEqual([]);
    expect(definitions.length).toBe(shippedFiles.length);
    expect(sources.size).toBe(shippedFiles.length);
  });
});

describe('a broken definition is refused with its place:', () => {
  test.each<[string, Wrong, string]>([
    // the schemas
    ['a misspelt key', { lables: {} }, '/lables There is no key "lables" here. Did you mean "labels"?'],
    ['a missing key', { labels: { one: 'Thing' } }, '/labels "many" is missing.'],
    ['an unknown type', withField({ type: 'txt' }), '/fields/value/type "txt" is none of'],
    ['a select without options', withField({ type: 'select' }), '/fields/value "options" is missing.'],
    ['a relation to nowhere', withField({ type: 'relation' }), '/fields/value "to" is missing.'],
    ['a name with capitals', { fields: { Name: {} } }, '/fields/Name "Name" cannot be a name here'],
    ['a name with blanks', { name: 'my things' }, '/name "my things" does not have the form'],
    [
      '__proto__ as a field',
      JSON.parse('{"fields": {"__proto__": {}}}') as Wrong,
      '/fields/__proto__ "__proto__" cannot be a name here',
    ],
    ['a wrong kind', { fields: [] }, '/fields This must be an object.'],
    ['no fields', { fields: {} }, '/fields This is empty.'],
    [
      'an unknown operator',
      withField({ visible: { name: { $like: 'x' } } }),
      '/fields/value/visible/name/$like There is no key "$like" here',
    ],
    ['a level that is none', { rules: [{ levels: [7], action: 'list' }] }, '/rules/0/levels/0 7 is none of'],
    // names
    ['a name of the program', { name: 'login' }, '/name "login" is a name that the program keeps'],
    ['a word of queries', { fields: { name: {}, sort: {} } }, '/fields/sort "sort" is a name that the program keeps'],
    ['archive as a field', { fields: { name: {}, archive: {} } }, '/fields/archive "archive" is a name'],
    ['a name of JavaScript', { fields: { name: {}, constructor: {} } }, '/fields/constructor "constructor" is a name'],
    [
      'a parameter named as a query word',
      { parameters: { range: { field: 'name' } } },
      '/parameters/range "range" is a name',
    ],
    [
      'the bound of a range',
      { fields: { name: {}, day: { type: 'date' }, day_from: {} } },
      '/fields/day_from "day_from" is how filters ask',
    ],
    [
      'another type for a stamp',
      { fields: { name: {}, created_at: { type: 'text' } } },
      '/fields/created_at/type This field is always there',
    ],
    [
      'a former name that is still there',
      withField({ was: 'name' }),
      '/fields/value/was There still is a field "name".',
    ],
    [
      'an embed named as a field',
      withField({ type: 'relation', to: 'users', embed: 'name' }),
      '/fields/value/embed "name" is already the name',
    ],
    [
      'two embeds of one name',
      withField({ type: 'relation', to: 'users', embed: 'parent' }),
      '/fields/value/embed "parent" is already',
    ],
    [
      'a count named as a field',
      withField({ type: 'inverse', of: 'parents.created_by', countAs: 'name' }),
      '/fields/value/countAs "name" is already',
    ],
    // fields
    [
      'an unknown target',
      withField({ type: 'relation', to: 'parent' }),
      '/fields/value/to There is no resource "parent". Did you mean "parents"?',
    ],
    [
      'an unknown field in an embed',
      withField({ type: 'relation', to: 'users', embedFields: ['mail'] }),
      '/fields/value/embedFields/0 There is no field "mail" in users.',
    ],
    [
      'a secret in an embed',
      withField({ type: 'relation', to: 'parents', embedFields: ['secret_code'] }),
      '/fields/value/embedFields/0 An embed cannot carry "secret_code"',
    ],
    [
      'an embed of a text',
      withField({ embed: 'other' }),
      '/fields/value/embed This belongs to fields of type relation',
    ],
    [
      'an inverse of nothing',
      withField({ type: 'inverse', of: 'parents.thing_id' }),
      '/fields/value/of There is no field "thing_id" in parents',
    ],
    [
      'an inverse of another relation',
      withField({ type: 'inverse', of: 'parents.created_by' }),
      '/fields/value/of "parents.created_by" points to users, not to things.',
    ],
    [
      'a sum of a text',
      withField({ type: 'inverse', of: 'parents.created_by', sum: 'name' }),
      '/fields/value/sum "parents.name" is of type text',
    ],
    [
      'an inverse of a text',
      withField({ type: 'inverse', of: 'parents.name' }),
      '/fields/value/of "parents.name" is of type text',
    ],
    [
      'choices by an unknown field',
      withField({ type: 'relation', to: 'parents', choices: { nam: 1 } }),
      '/fields/value/choices There is no field "nam" in parents. Did you mean "name"?',
    ],
    [
      'choices by an unknown form field',
      withField({ type: 'relation', to: 'parents', choices: { id: '$form.parent' } }),
      '/fields/value/choices There is no field "parent"',
    ],
    [
      'life within what is never archived',
      withField({ type: 'relation', to: 'users', within: true }),
      '/fields/value/within users cannot be archived.',
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
    ['bounds the wrong way', withField({ type: 'number', min: 3, max: 1 }), '/fields/value/min The least is greater'],
    ['a pattern that is none', withField({ pattern: '(' }), '/fields/value/pattern This is no regular expression: '],
    [
      'an option twice',
      withField({
        type: 'select',
        options: [
          { value: 1, label: 'a' },
          { value: 1, label: 'b' },
        ],
      }),
      '/fields/value/options/1 The value 1 stands here twice.',
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
      '/fields/value/options/1 Values are all numbers',
    ],
    [
      'options of a text',
      withField({ options: [{ value: 1, label: 'a' }] }),
      '/fields/value/options Only a field of type select',
    ],
    [
      'a default of another type',
      withField({ type: 'date', default: 'soon' }),
      '/fields/value/default "soon" is no value of this field.',
    ],
    [
      'a default from nowhere',
      withField({ default: '$tody' }),
      '/fields/value/default There is no variable "$tody". Did you mean "$today"?',
    ],
    [
      'an end before nothing',
      withField({ type: 'date', notBefore: 'begin' }),
      '/fields/value/notBefore There is no field "begin"',
    ],
    [
      'an end before a text',
      withField({ type: 'date', notBefore: 'name' }),
      '/fields/value/notBefore Both fields must be dates',
    ],
    [
      'a template of unknown fields',
      withField({ computed: '{nme}' }),
      '/fields/value/computed There is no field "nme". Did you mean "name"?',
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
      '/fields/value/visible There is no field "nme"',
    ],
    [
      'a property nobody has',
      withField({ required: { '$actor.levl': 2 } }),
      '/fields/value/required There is no property of $actor "levl". Did you mean "level"?',
    ],
    [
      'a number that is a text',
      withField({ visible: { parent_id: 'one' } }),
      '/fields/value/visible "parent_id" never holds "one"',
    ],
    [
      'relatives of a text',
      withField({ visible: { name: { $some: {} } } }),
      '/fields/value/visible $some asks about related records',
    ],
    [
      'relatives in a form',
      withField({ visible: { parent_id: { $some: { name: 'x' } } } }),
      '/fields/value/visible $some looks into related records, which are not read here. Compare a field of this record instead',
    ],
    [
      'relatives in what is required',
      withField({ required: { parent_id: { $some: {} } } }),
      '/fields/value/required $some looks into related records',
    ],
    [
      'relatives of a marked row',
      {
        list: {
          columns: ['name'],
          highlight: { when: { parent_id: { $some: { name: 'x' } } }, label: 'x', tone: 'high' },
        },
      },
      '/list/highlight/when $some looks into related records, which are not read here. Here only {} is known',
    ],
    [
      'counts of the signed-in in a rule',
      { rules: [{ levels: [6], action: 'list', where: { '$actor.totalParents': 0 } }] },
      '/rules/0/where There is no property of $actor "totalParents"',
    ],
    [
      'an unknown field of relatives',
      { rules: [{ levels: [6], action: 'list', where: { parent_id: { $some: { members: 1 } } } }] },
      '/rules/0/where There is no field "members" in parents.',
    ],
    ['a bare variable', withField({ visible: { $actor: 1 } }), '/fields/value/visible'],
    // lists
    [
      'a column of nothing',
      { list: { columns: ['nam'] } },
      '/list/columns/0 There is no field "nam". Did you mean "name"?',
    ],
    [
      'a column twice',
      { list: { columns: ['name', 'name*'] } },
      '/list/columns/1 The column "name" stands here twice.',
    ],
    [
      'a column through no embed',
      { list: { columns: ['parnt.name'] } },
      '/list/columns/0 There is no embed "parnt". Did you mean "parent"?',
    ],
    [
      'a column that its embed lacks',
      { list: { columns: ['parent.note'] } },
      '/list/columns/0 The embed "parent" does not carry "note"',
    ],
    ['an order by nothing', { list: { sort: '-nam' } }, '/list/sort There is no field "nam"'],
    [
      'an order by a long text',
      withField({ type: 'richText' }, { list: { sortChoices: ['value'] } }),
      '/list/sortChoices/0 Lists cannot be sorted by "value"',
    ],
    [
      'a filter of nothing',
      { list: { filters: { parent: {} } } },
      '/list/filters/parent There is no field or parameter "parent". Did you mean "parent_id"?',
    ],
    ['a range of a text', { list: { filters: { name: { range: true } } } }, '/list/filters/name/range Only dates'],
    ['cards without a card', { list: { views: ['cards'] } }, '/list/views The view "cards" needs a "card".'],
    [
      'a count of a text',
      { list: { card: { counts: [{ field: 'name', one: 'a', many: 'b' }] } } },
      '/list/card/counts/0/field "name" counts nothing',
    ],
    ['an icon that is none', { list: { card: { mark: 'name' } } }, '/list/card/mark "name" is no icon.'],
    [
      'an unknown entry of a menu',
      { list: { card: { menu: ['remove'] } } },
      '/list/card/menu/0 There is no row action "remove".',
    ],
    [
      'an unknown row action',
      { list: { actions: ['edti'] } },
      '/list/actions/0 There is no row action "edti". Did you mean "edit"?',
    ],
    [
      'a goal that is none',
      { list: { actions: [{ name: 'go', goTo: { resource: 'elsewhere' } }] } },
      '/list/actions/0/goTo/resource There is no resource "elsewhere".',
    ],
    [
      'a goal with an unknown filter',
      { list: { actions: [{ name: 'go', goTo: { resource: 'parents', filter: { thing: 1 } } }] } },
      '/list/actions/0/goTo/filter/thing There is no field "thing" in parents',
    ],
    [
      'unarchiving without an archive',
      { list: { actions: ['unarchive'] } },
      '/list/actions "unarchive" needs records that are archived',
    ],
    [
      'an exported column that the list has not',
      { list: { columns: ['name'] }, export: { columns: ['nothing'] } },
      '/export/columns/0 The list has no column "nothing".',
    ],
    [
      'bulk editing what is read-only',
      { list: { bulkEdit: ['created_at'] } },
      '/list/bulkEdit/0 "created_at" cannot be written.',
    ],
    // forms, titles, access
    ['a title of nothing', { recordTitle: '{nam}' }, '/recordTitle There is no field "nam"'],
    ['a title without a field', { recordTitle: 'A thing' }, '/recordTitle A record is called by its fields'],
    [
      'told apart by nothing',
      { choices: { detail: ['id', 'nam'] } },
      '/choices/detail/1 There is no field "nam". Did you mean "name"?',
    ],
    [
      'told apart by long text',
      { fields: { ...related, note: { type: 'richText' } }, choices: { detail: ['note'] } },
      '/choices/detail/0 "note" cannot be said in a few words beside a title. Name a stored field of the type text, number',
    ],
    ['a count in the wrong title', { titles: { create: 'Add {total}' } }, '/titles/create There is no "{total}" here.'],
    [
      'a section of nothing',
      { form: { sections: [{ label: 'A', fields: ['name', 'nam'] }] } },
      '/form/sections/0/fields/1 There is no field "nam"',
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
      '/form/sections/1/fields/0 "name" stands in the section "A" already.',
    ],
    [
      'a required field in no section',
      { form: { sections: [{ label: 'A', fields: ['parent_id'] }] } },
      '/form/sections "name" is required, but stands in no section.',
    ],
    [
      'a redirect by nothing',
      { form: { redirects: [{ when: { nam: 1 }, to: '/' }] } },
      '/form/redirects/0/when There is no field "nam"',
    ],
    [
      'a question by nothing',
      { delete: { when: [{ if: { nam: 1 }, confirm: 'Sure?' }] } },
      '/delete/when/0/if There is no field "nam"',
    ],
    [
      'a rule on nothing',
      { rules: [{ levels: [4], action: 'edit', fields: ['nam'] }] },
      '/rules/0/fields/0 There is no field "nam"',
    ],
    [
      'a rule both ways',
      { rules: [{ levels: [4], action: 'edit', fields: ['name'], except: ['name'] }] },
      '/rules/0 A rule names the fields it leaves',
    ],
    ['a parameter of nothing', { parameters: { by: {} } }, '/parameters/by A parameter says what it means'],
    [
      'a parameter named as a field',
      { parameters: { name: { where: { id: '$value' } } } },
      '/parameters/name "name" is a field',
    ],
    ['a flag without meaning', { parameters: { by: { kind: 'flag' } } }, '/parameters/by A flag says what it means'],
    [
      '$value outside parameters',
      withField({ visible: { name: '$value' } }),
      '/fields/value/visible $value has a meaning in parameters alone.',
    ],
    [
      'archiving along what does not point here',
      { archive: { cascade: ['parents.created_by'] } },
      '/archive/cascade/0 "parents.created_by" is no relation to things.',
    ],
    [
      'archiving along what cannot be',
      { archive: { cascade: ['users.created_by'] } },
      '/archive/cascade/0 users cannot be archived.',
    ],
    ['an index on nothing', { indexes: [['name', 'nam']] }, '/indexes/0/1 There is no field "nam"'],
    [
      'itself required',
      withField({ type: 'relation', to: 'things', required: true }),
      '/fields/value/required No record could ever be made: things → things require one another.',
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

  test('relations that require one another', () => {
    const a = source({ name: 'aa', fields: { name: {}, b: { type: 'relation', to: 'bb', required: true } } });
    const b = source({ name: 'bb', fields: { name: {}, a: { type: 'relation', to: 'aa', required: true } } });
    const messages = readSources(a, b).faults.map(({ message }) => message);
    expect(messages).toEqual([expect.stringContaining('aa → bb → aa'), expect.stringContaining('bb → aa → bb')]);
  });
});

describe('a fault says where it lies', () => {
  const good = { file: 'resources/users.json', text: JSON.stringify(source({ name: 'users' })) };

  test('with file, path and line', () => {
    const text = JSON.stringify(source({ list: { columns: ['id', 'nam'] } }), null, 2);
    const line = text.split('\n').findIndex((one) => one.includes('nam"') && !one.includes('name')) + 1;
    const { faults } = readDefinitions([good, { file: 'resources/things.json', text }], judge);
    expect(faults).toEqual([
      {
        file: 'resources/things.json',
        path: '/list/columns/1',
        line,
        message: 'There is no field "nam". Did you mean "name"?',
      },
    ]);
  });

  test('with the line above where the place itself is missing', () => {
    const text = '{\n  "name": "things",\n  "labels": {\n    "one": "Thing"\n  },\n  "fields": { "name": {} }\n}';
    const { faults } = readDefinitions([good, { file: 'things.json', text }], judge);
    expect(faults).toEqual([{ file: 'things.json', path: '/labels', line: 3, message: '"many" is missing.' }]);
  });

  test('when it is no JSON', () => {
    const { faults, definitions } = readDefinitions([good, { file: 'things.json', text: '{\n  "name": \n}' }], judge);
    expect(faults).toEqual([expect.objectContaining({ file: 'things.json', line: 3 })]);
    expect(definitions.map(({ name }) => name)).toEqual(['users']);
  });

  test('and does not blame those that point to a broken file', () => {
    const child = source({ name: 'children', fields: { name: {}, thing_id: { type: 'relation', to: 'things' } } });
    const files = [good, { file: 'things.json', text: '{' }, { file: 'children.json', text: JSON.stringify(child) }];
    expect(readDefinitions(files, judge).faults.map(({ file }) => file)).toEqual(['things.json']);
  });

  test('when two files define one resource', () => {
    const again = { ...good, file: 'other/users.json' };
    expect(readDefinitions([good, again], judge).faults).toEqual([
      { file: 'other/users.json', path: '/name', line: 1, message: 'resources/users.json defines "users" already.' },
    ]);
  });

  test('when the file is called otherwise', () => {
    const { faults } = readDefinitions([{ ...good, file: 'people.json' }], judge);
    expect(faults.map(({ message }) => message)).toEqual(['The file of "users" is called users.json.']);
  });
});

describe('shipped rows', () => {
  const things = definition({ fields: { name: { required: true, maxLength: 5 }, size: { type: 'number' } } });

  test.each([
    [[{ id: 1, name: 'a', size: null }], []],
    [{}, [' This must be a list of rows.']],
    [[{ name: 'a' }], ['/0/id A row has a whole id from 1.']],
    [
      [
        { id: 1, name: 'a' },
        { id: 1, name: 'b' },
      ],
      ['/1/id The id 1 stands here twice.'],
    ],
    [[{ id: 1 }], ['/0/name "name" is missing.']],
    [[{ id: 1, name: 'abcdef' }], ['/0/name Name may have at most 5 characters.']],
    [[{ id: 1, nme: 'a', name: 'b' }], ['/0/nme There is no field "nme". Did you mean "name"?']],
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
    'a highlight': [{ list: { highlight: { when: { pin: 'x' }, tone: 'high', label: 'x' } } }, '/list/highlight/when'],
    'an import': [{ import: { fields: ['name', 'pin'] } }, '/import/fields/1'],
    'what tells apart': [{ choices: { detail: ['pin'] } }, '/choices/detail/0'],
    'an index': [{ indexes: [['pin']] }, '/indexes/0/0'],
  };

  test.each(Object.entries(places))('%s', (_name, [more, path]) => {
    const faults = faultsOf({ fields: { ...related, pin: secret }, ...more });
    expect(faults.join('\n')).toContain(`${path} `);
    expect(faults.join('\n')).toMatch(/is secret: nothing may show it|There is no "\{pin\}"/);
  });

  test.each([
    ['a template', { type: 'text', computed: '{name} {pin}' }, '/fields/value/computed'],
    ['a computed condition', { type: 'boolean', computed: { pin: { $exists: true } } }, '/fields/value/computed'],
    ['a condition of a field', { type: 'text', visible: { pin: 'x' } }, '/fields/value/visible'],
    ['choices', { type: 'relation', to: 'parents', choices: { secret_code: 'x' } }, '/fields/value/choices'],
  ])('%s', (_name, field, path) => {
    const faults = faultsOf({ fields: { ...related, pin: secret, value: field } });
    expect(faults).toEqual([expect.stringContaining(`${path} `)]);
    expect(faults[0]).toContain('is secret: nothing may show it, compare it or depend on it. Name another field.');
  });

  test('nor is it unique: whoever is refused would learn a value', () => {
    expect(faultsOf(withField({ secret: true, unique: true }))).toEqual([
      expect.stringContaining('/fields/value/unique A secret field cannot be unique'),
    ]);
  });
});
