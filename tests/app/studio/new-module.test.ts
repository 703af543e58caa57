import { expect, test } from 'vitest';
import { newModuleErrors } from '../../../src/app/studio/modules/newModuleErrors';
import { guessType } from '../../../src/app/studio/modules/useNewModuleForm';
import {
  moduleKey,
  pluralize,
  buildDefinition,
  fieldsByKey,
  type NewFieldForm,
  type NewModuleForm,
} from '../../../src/app/studio/modules/newModuleForm';
import { normalise } from '../../../src/engine/normalise/normalise';

const field = (id: number, label: string, rest: Partial<NewFieldForm> = {}): NewFieldForm => ({
  ...{ id, label, type: 'text', isRequired: false, options: '', target: '' },
  ...rest,
});
const wish = (fields: readonly NewFieldForm[], rest: Partial<NewModuleForm> = {}): NewModuleForm => ({
  ...{ singular: 'Instrument', plural: 'Instruments', icon: 'package', group: 'Workspace', fields },
  ...rest,
});
const nothing = { plan: null, serverErrors: null, existingModule: undefined, isSubmitted: true };

test.each([
  ['Asset', 'Assets'],
  ['Territory', 'Territories'],
  ['Day', 'Days'],
  ['Box', 'Boxes'],
  ['', ''],
])('several of %s are %s', (one, many) => expect(pluralize(one)).toBe(many));

test.each([
  ['Spare Parts', 'spare-parts'],
  ['Café Tables', 'cafe-tables'],
  ['3 Steps!', 'steps'],
  ['机器', ''],
])('the key of %s is %s', (many, key) => expect(moduleKey(many)).toBe(key));

test('types are guessed from labels, and records of another module are pointed to', () => {
  const studios = normalise({ name: 'studios', labels: { one: 'Studio', many: 'Studios' }, fields: { name: {} } });
  expect(['Name', 'Bought on', 'E-mail', 'Price', 'Notes'].map((label) => guessType(label, [studios]).type)).toEqual([
    'text',
    'date',
    'email',
    'number',
    'textarea',
  ]);
  expect(guessType(' studio ', [studios])).toEqual({ type: 'relation', target: 'studios' });
});

test('a form of a new module becomes a complete definition', () => {
  const asked = wish([
    field(1, 'Name', { isRequired: true }),
    field(2, ''),
    field(3, 'Studio', { type: 'relation', target: 'studios' }),
    field(4, 'Condition', { type: 'select', options: 'In use, , In repair' }),
  ]);
  const source = buildDefinition(asked);
  expect(source).toMatchObject({ name: 'instruments', menu: { group: 'Workspace', icon: 'package' }, import: {} });
  expect(Object.keys(source.fields)).toEqual(['name', 'studio_id', 'condition']);
  expect(source.fields.condition!.options).toEqual([
    { value: 'in_use', label: 'In use' },
    { value: 'in_repair', label: 'In repair' },
  ]);
  expect(source.list!.card!.lines).toEqual(['studio_id', 'condition']);
  expect([...fieldsByKey(asked, source)].map(([key, { id }]) => [key, id])).toEqual([
    ['name', 1],
    ['studio_id', 3],
    ['condition', 4],
  ]);
});

test('a module without a text gets a name before its fields, and errors still find their rows', () => {
  const asked = wish([field(7, 'Price', { type: 'number' })]);
  const source = buildDefinition(asked);
  expect(Object.keys(source.fields)).toEqual(['name', 'price']);
  const errors = newModuleErrors(asked, {
    ...nothing,
    serverErrors: { '/fields/price/min': 'Too small.', '/name': 'Taken.' },
  });
  expect(errors.fields.get(7)).toBe('Too small.');
  expect(errors.plural).toBe('Taken.');
  expect(errors.count).toBe(2);
});

test('missing parts of a new module are errors after the first try to create it', () => {
  const asked = wish([field(1, 'Condition', { type: 'select' }), field(2, 'Studio', { type: 'relation' })], {
    singular: '',
    plural: '',
  });
  expect(newModuleErrors(asked, { ...nothing, isSubmitted: false }).count).toBe(0);
  const errors = newModuleErrors(asked, nothing);
  expect([...errors.fields.values()]).toEqual(['Options are required.', 'Choose the module that it points to.']);
  expect(errors.singular).toBe('Singular name is required.');
  expect(newModuleErrors(wish([]), nothing).noFields).toBe('Add at least one field.');
});
