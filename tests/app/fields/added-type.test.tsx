// @module-tag slow
import RangeWidget from '@rjsf/mui/lib/RangeWidget/index.js';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fieldTypes, typeNamesWhere } from '../../../src/engine/field-types';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { AnyFieldSource, FieldSource, Source } from '../../../src/engine/language/source';
import { builtInTypeKeys } from '../../../src/engine/language/field-types';
import { typeKeys } from '../../../src/engine/language/field-types/type-keys';
import { displayOf } from '../../../src/app/fields/displays';
import type { CellProps, InputProps } from '../../../src/app/fields/fieldType';
import { inputOf } from '../../../src/app/fields/inputs';
import { registerProductTypes } from '../../../src/app/fields/productTypes';
import { studioOf } from '../../../src/app/fields/studio';
import { sampleRecord } from '../../../src/app/studio/preview/FormCard';
import { describedBy } from '../form/inputs';
import { fakeServer, fixtureDefinitions } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

const starsOf = (value: unknown, field: CellProps['field']) => `${String(value)} of ${field.max ?? 5} stars`;

function Stars({ field, value }: CellProps) {
  return typeof value === 'number' ? <span role="img" aria-label={starsOf(value, field)} /> : null;
}

function StarsInput({ id, field, value, onChange, readOnly }: InputProps) {
  return (
    <div role="radiogroup" aria-labelledby={`${id}-label`}>
      {Array.from({ length: field.max ?? 5 }, (_none, index) => (
        <button
          key={index}
          type="button"
          role="radio"
          aria-checked={value === index + 1}
          disabled={readOnly}
          onClick={() => onChange(index + 1)}
        >
          {starsOf(index + 1, field)}
        </button>
      ))}
    </div>
  );
}

/** A field as a product's definition writes it: the types of the engine do not include the added one. */
const written = (type: string, more: AnyFieldSource = {}) => ({ type, ...more }) as unknown as FieldSource;

const books = () =>
  normalise({
    name: 'books',
    labels: { one: 'Book', many: 'Books' },
    scope: 'installation',
    menu: { group: 'Library', icon: 'layers' },
    fields: {
      name: { type: 'text' },
      rating: written('rating', { max: 4 }),
      shelf_mark: written('mark'),
      wear: written('dial', { min: 0, max: 10, help: 'Of cover and pages.' }),
    },
    list: { columns: ['id', 'name!', 'rating*', 'shelf_mark*'], rowClick: 'edit' },
    form: { sections: [{ label: 'Book', fields: ['name', 'rating', 'shelf_mark', 'wear'] }] },
    grants: { '1': 'all' },
  } as unknown as Source);

let remove: () => void;
beforeEach(() => {
  remove = registerProductTypes({
    rating: {
      type: { ...fieldTypes.number, column: 'integer' },
      language: typeKeys({ keys: { max: builtInTypeKeys.number.keys.max } }),
      display: { Cell: Stars },
      input: { Input: StarsInput },
      studio: { label: 'Rating', icon: 'star', sample: ({ max = 5 }) => max },
    },
    // Shown and edited with the defaults.
    mark: {
      type: { ...fieldTypes.text, toText: (value) => (value ? `§ ${String(value)}` : '') },
      language: builtInTypeKeys.text,
    },
    // Edited with a widget of rjsf, as it is in its package.
    dial: {
      type: { ...fieldTypes.number, column: 'integer' },
      language: typeKeys({ keys: { min: builtInTypeKeys.number.keys.min, max: builtInTypeKeys.number.keys.max } }),
      input: { Widget: RangeWidget },
      studio: { label: 'Dial' },
    },
  });
});
afterEach(() => remove());

const open = (path: string) => {
  const rows = { books: [{ id: 1, name: 'Emma', rating: 3, shelf_mark: 'A7', wear: 2 }] };
  const server = fakeServer({ level: 1, definitions: [...fixtureDefinitions(), books()], rows });
  return { server, user: renderApp(path) };
};

it('a list shows the values of an added type in its cells, and of one that it does not know as text', async () => {
  open('/books');
  expect(await screen.findByRole('img', { name: '3 of 4 stars' })).toBeTruthy();
  expect(screen.getByText('§ A7')).toBeTruthy();
});

it('a form edits values of an added type with its input, and of an unknown one with a line of text', async () => {
  const { server, user } = open('/books/1');
  await user.click(await screen.findByRole('radio', { name: '4 of 4 stars' }));
  await user.type(screen.getByRole('textbox', { name: 'Shelf Mark' }), '8');
  await user.click(screen.getByRole('button', { name: /^(Save|Update)/ }));
  const call = await waitFor(() => {
    const found = server.calls.find(({ method }) => method === 'PUT');
    expect(found).toBeDefined();
    return found!;
  });
  expect(call.body).toMatchObject({ rating: 4, shelf_mark: 'A78' });
});

it('a form draws a widget of another package for a type that brings one, and saves what is chosen there', async () => {
  const { server, user } = open('/books/1');
  const dial = await screen.findByRole('slider');
  expect(dial).toMatchObject({ value: '2', min: '0', max: '10' });
  expect(describedBy(dial.closest<HTMLElement>('[aria-describedby]')!)).toBe('Of cover and pages.');
  fireEvent.change(dial, { target: { value: 7 } });
  await user.click(screen.getByRole('button', { name: /^(Save|Update)/ }));
  await waitFor(() => expect(server.calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({ wear: 7 }));
});

it('a form says that a widget of another package is read-only where its field is', async () => {
  open('/books/1/view');
  expect(await screen.findByRole('slider')).toHaveProperty('disabled', true);
});

it('the studio shows label, icon and sample of an added type, and defaults for missing ones', () => {
  const definition = books();
  const { rating, shelf_mark: mark } = definition.fields;
  expect([studioOf(rating!), studioOf(mark!)]).toMatchObject([{ label: 'Rating', icon: 'star' }, { icon: 'text' }]);
  expect(sampleRecord(definition)).toMatchObject({ rating: 4, shelf_mark: null });
  expect(displayOf(rating!).relatedWidth).toBe(180);
});

it('every type of the engine has a label in the studio, and all but text and the derived have an input of their own', () => {
  const types = typeNamesWhere(() => true);
  expect(types.filter((type) => studioOf({ type }).label === undefined)).toEqual(['mark']);
  const { Input } = inputOf({ type: 'text' });
  // In a registry a lookup or rollup has the type of its value, and the input of that.
  expect(types.filter((type) => inputOf({ type }).Input === Input)).toEqual([
    'text',
    'lookup',
    'rollup',
    'mark',
    'dial',
  ]);
});
