import { describe, expect, test } from 'vitest';
import type { Definition } from '../../src/engine/definitions/definition';
import { labelOf, fillTemplate, tableOf, templateFields } from '../../src/engine/definitions/labels';
import { closestName } from '../../src/engine/definitions/problems';
import type { FieldSource, Source } from '../../src/engine/language/source';
import { definition, field } from './support/definitions';

describe('labels', () => {
  test.each([
    ['scene_id', 'Scene'],
    ['user_ids', 'User'],
    ['created_at', 'Created At'],
    ['modulePermission', 'ModulePermission'],
    ['id', 'Id'],
    ['identifier', 'Identifier'],
  ])('the name %s has the label %s', (name, label) => expect(labelOf(name)).toBe(label));

  test('a resource with hyphens has a table with underscores', () => expect(tableOf('a-b-c')).toBe('a_b_c'));

  test.each([
    ['{first_name} {last_name}', { first_name: 'Ada', last_name: null }, 'Ada'],
    ['{type.icon}!', { type: { icon: 'web' } }, 'web!'],
    ['{nameOf}', { nameOf: 0 }, '0'],
    ['{a.b.c}', { a: null }, ''],
    ['no braces', {}, 'no braces'],
  ])('the template %s is filled', (template, values, filled) => expect(fillTemplate(template, values)).toBe(filled));

  test('a template names its fields', () => expect(templateFields('{a} and {b.c}')).toEqual(['a', 'b.c']));

  test.each([
    ['nme', ['name', 'code'], 'name'],
    ['x', ['name', 'code'], undefined],
    ['starts_o', ['starts_on', 'ends_on'], 'starts_on'],
  ])('the closest of some names to %s is found', (name, names, found) => expect(closestName(name, names)).toBe(found));
});

describe('a minimal definition', () => {
  const least = definition({ scope: undefined });

  test.each<[string, (one: Definition) => unknown, unknown]>([
    ['table', (one) => one.table, 'things'],
    ['scope', (one) => one.scope, 'company'],
    ['envelope', (one) => one.envelope, null],
    [
      'titles',
      (one) => [one.titles.list, one.titles.create, one.titles.add],
      ['Things | Total Records: {total}', 'Add New Thing', 'Add Thing'],
    ],
    ['record title', (one) => [one.recordTitle, one.titleField], ['{name}', 'name']],
    [
      'fields',
      (one) => Object.keys(one.fields),
      ['id', 'name', 'site_id', 'created_by', 'updated_by', 'created_at', 'updated_at'],
    ],
    [
      'columns',
      (one) => one.list.columns.map((column) => [column.field, column.visible]),
      [
        ['id', true],
        ['name', true],
      ],
    ],
    ['order', (one) => one.list.sort, { field: 'id', order: 'DESC' }],
    ['row actions', (one) => one.list.actions.map((action) => action.name), ['edit', 'delete']],
    ['form', (one) => one.form.sections, [{ label: 'Thing', fields: ['site_id', 'name'] }]],
    ['grants', (one) => [one.grants[1].length, one.grants[3].length, one.grants[4].length], [5, 5, 0]],
    ['menu', (one) => one.menu, { group: 'Reference data', settings: true, icon: 'tag', order: 100 }],
    ['question', (one) => one.delete.confirm, 'Are you sure you want to delete?'],
  ])('has its %s', (_, read, expected) => expect(read(least)).toEqual(expected));

  test('is frozen at every depth', () => {
    expect(Object.isFrozen(least.list.columns)).toBe(true);
    expect(() => ((least.fields as Record<string, unknown>).more = 1)).toThrow();
  });

  test('is plain JSON', () => expect(JSON.parse(JSON.stringify(least))).toEqual(least));
});

describe('the notation of a definition', () => {
  test.each<[string, Partial<Source>, (one: Definition) => unknown, unknown]>([
    [
      'marks of columns',
      { list: { columns: ['id', 'name!', 'created_at*'] } },
      (one) => one.list.columns.map(({ visible, fixed }) => [visible, fixed]),
      [
        [false, false],
        [true, true],
        [true, false],
      ],
    ],
    [
      'a column with a label',
      { list: { columns: [{ field: 'name', label: 'Company Name' }] } },
      (one) => one.list.columns[0],
      { field: 'name', label: 'Company Name', visible: true, fixed: false },
    ],
    ['ascending order', { list: { sort: 'name' } }, (one) => one.list.sort, { field: 'name', order: 'ASC' }],
    [
      'archiving',
      { archive: true },
      (one) => [one.list.actions.map((action) => action.name), one.archive!.confirmRestore, one.fields.archive?.type],
      [['edit', 'unarchive', 'delete'], 'Are you sure you want to Unarchive this thing?', 'boolean'],
    ],
    ['a restored toast', { archive: true }, (one) => one.toasts.restored, 'Thing Unarchive Successfully'],
    ['keeping', { delete: { keep: true } }, (one) => one.fields.deleted_at?.secret, true],
    ['no menu', { menu: false }, (one) => one.menu, null],
    [
      'grants in words',
      { grants: { '2': 'read', '4': ['list'] } },
      (one) => [one.grants[1].length, one.grants[2], one.grants[4]],
      [5, ['list', 'view'], ['list']],
    ],
    [
      'a rule',
      { rules: [{ levels: [4], action: 'delete', where: { created_by: '$actor.id' } }] },
      (one) => [one.rules[0]!.actions, one.rules[0]!.reason],
      [['delete'], 'only for records that you created'],
    ],
    [
      'a stamp that shows',
      { fields: { name: {}, created_by: { embed: 'user' } as FieldSource } },
      (one) => [one.fields.created_by!.embed, one.fields.created_by!.readOnly],
      ['user', true],
    ],
    ['rows', { rows: 'things.json' }, (one) => one.rows, { file: 'things.json', protected: true }],
    [
      'a goal without a filter',
      { list: { actions: [{ name: 'open', goTo: { resource: 'users' } }] } },
      (one) => one.list.actions[0]!.goTo,
      { resource: 'users', filter: {} },
    ],
  ])('%s is understood', (_, written, read, expected) => expect(read(definition(written))).toEqual(expected));

  test('the company is chosen only by level 1, and once', () => {
    const { site_id } = definition({ scope: 'company' }).fields;
    expect(site_id).toMatchObject({
      required: true,
      visible: { '$actor.level': 1 },
      readOnlyWhen: { id: { $exists: true } },
    });
    expect(definition({ scope: 'both' }).fields.site_id!.required).toBe(false);
    expect(definition({ scope: 'self' }).fields.site_id).toBeUndefined();
  });

  const dialog = { width: 480, side: false, bySize: true };
  test.each<[string, Partial<Source>, Definition['form']['dialog']]>([
    ['of one input', {}, dialog],
    ['of three, beside the company', { scope: 'both', fields: { name: {}, a: {}, b: { type: 'date' } } }, dialog],
    ['of four', { fields: { name: {}, a: {}, b: {}, c: {} } }, undefined],
    [
      'that shows three of four',
      {
        fields: { name: {}, a: {}, b: {}, c: {} },
        form: { sections: [{ label: 'Thing', fields: ['name', 'a', 'b'] }] },
      },
      dialog,
    ],
    [
      'in two sections',
      { fields: { name: {}, a: {} }, form: { sections: ['name', 'a'].map((one) => ({ label: one, fields: [one] })) } },
      dialog,
    ],
    ['without the computed', { fields: { name: {}, a: {}, b: {}, c: { computed: '{name}' } } }, dialog],
    ['with a text of lines', { fields: { name: {}, notes: { type: 'textarea' } } }, undefined],
    ['with a wide text', { fields: { name: { width: 'full' } } }, dialog],
    ['with a picture', { fields: { name: {}, photo: { type: 'image' } } }, undefined],
    ['of nothing', { fields: { made: { computed: 'x' } } }, undefined],
    ['with comments', { comments: true }, undefined],
    ['with a page', { page: true }, undefined],
    ['with a popup', { form: { popup: { width: 640 } } }, undefined],
    ['with tabs', { form: { tabs: [{ name: 'more', label: 'More', resource: 'things', filter: {} }] } }, undefined],
    ['with a request', { requests: { call: { label: 'Call', path: 'call/{id}', sets: ['name'] } } }, undefined],
    ['that is no dialog', { form: { dialog: false } }, undefined],
    [
      'of four that is one',
      { fields: { name: {}, a: {}, b: {}, c: {} }, form: { dialog: { width: '90%' } } },
      {
        width: '90%',
        side: false,
      },
    ],
  ])('a form %s is a dialog by its size, or as it is written', (_, written, expected) =>
    expect(definition(written).form.dialog).toEqual(expected),
  );

  test.each([
    [{ required: 'form' } as const, { required: false, requiredInForm: true }],
    [{ required: { name: 'x' } }, { required: false, requiredWhen: { name: 'x' } }],
    [
      { required: true, computed: '{name}' },
      { required: false, readOnly: true },
    ],
    [{ type: 'password' } as const, { secret: true, searchable: false, sortable: false }],
    [
      { type: 'inverse', source: 'users.site_id' } as const,
      { readOnly: true, inLists: 'count', countName: 'value_count', inverse: { resource: 'users', field: 'site_id' } },
    ],
    [{ type: 'relation', to: 'things' } as const, { maxDepth: 2, onDelete: 'restrict' }],
    [{ unique: true }, { unique: 'installation' }],
    [{ type: 'phone' } as const, { maxLength: 15 }],
    [{ type: 'date' } as const, { width: 'quarter', sortable: true }],
  ])('the field %j has its defaults', (written, expected) => expect(field(written)).toMatchObject(expected));
});
