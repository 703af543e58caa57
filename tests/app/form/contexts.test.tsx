// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { useRecordContext, useResourceContext, useSaveContext } from 'react-admin';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fieldTypes } from '../../../src/engine/field-types';
import type { FieldSource, Source } from '../../../src/engine/language/source';
import { builtInTypeKeys } from '../../../src/engine/language/field-types';
import { registerProductTypes } from '../../../src/app/fields/productTypes';
import { renderApp } from '../support/renderApp';
import { pantry, sent, servePantry, stored } from './pantry';
// Loads lazy code in advance.
import '../../../src/app/record/ResourceFormDialog';
import '../../../src/app/record/RecordPage';

const words = () => `${String(useResourceContext())}: ${String(useRecordContext()?.name ?? 'no record')}`;

/** Shows what react-admin says around it. */
function Around() {
  return <output aria-label="Around">{words()}</output>;
}

/** The input of a product, which saves the form. */
function LabelInput() {
  const { save } = useSaveContext();
  const [outcome, setOutcome] = useState('');
  const saveName = (name: string) => () =>
    void save!(
      { id: 7, name },
      { onSuccess: (jar: { name: string }) => setOutcome(`Stored ${jar.name}`), onError: () => setOutcome('Refused') },
    );
  return (
    <>
      <Around />
      <button type="button" onClick={saveName('Thyme')}>
        Thyme
      </button>
      <button type="button" onClick={saveName('')}>
        No name
      </button>
      <p>{outcome}</p>
    </>
  );
}

let remove: () => void;
beforeEach(() => {
  remove = registerProductTypes({
    label: {
      type: fieldTypes.text,
      language: builtInTypeKeys.text,
      input: { Input: LabelInput },
      page: { Value: Around },
    },
  });
});
afterEach(() => remove());

function open(path: string, change: Partial<Source> = {}, answers = {}) {
  const definitions = pantry({ label: { type: 'label' } as unknown as FieldSource }, { page: {}, ...change });
  const rows = { jars: [{ ...stored, label: 'Old' }], shelves: [], boxes: [] };
  const server = servePantry({ definitions, rows, answers });
  return { server, user: renderApp(path) };
}
const readWords = async () => (await screen.findByRole('status', { name: 'Around' })).textContent;

test('a form of a stored record is within its record and resource, and saves the values that a part of it gives', async () => {
  const { server, user } = open('/jars/7', { form: { redirects: [{ to: '/jars/7' }] } });
  expect(await readWords()).toBe('jars: Pepper');
  await user.click(screen.getByRole('button', { name: 'Thyme' }));
  expect(await screen.findByText('Stored Thyme')).toBeTruthy();
  expect(sent(server, 'PUT')).toEqual([{ name: 'Thyme', updated_at: stored.updated_at }]);
});

test('a form does not save values that are wrong, and says so at their field', async () => {
  const { server, user } = open('/jars/7');
  await readWords();
  await user.click(screen.getByRole('button', { name: 'No name' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Name/)));
  expect(sent(server, 'PUT')).toEqual([]);
});

test('a form tells the part that saved it of a refusal, and shows it', async () => {
  const refusal = () => ({ status: 422, body: { message: 'Not valid.', errors: { name: ['Thyme is taken.'] } } });
  const { user } = open('/jars/7', {}, { 'PUT /jars/7': refusal });
  await readWords();
  await user.click(screen.getByRole('button', { name: 'Thyme' }));
  expect(await screen.findByText('Refused')).toBeTruthy();
  expect(screen.getByText(/Thyme is taken/)).toBeTruthy();
});

test('a form of a new record is within its resource, without a record, and creates one', async () => {
  const { server, user } = open('/jars/create');
  expect(await readWords()).toBe('jars: no record');
  await user.click(screen.getByRole('button', { name: 'Thyme' }));
  await waitFor(() => expect(sent(server, 'POST')).toMatchObject([{ name: 'Thyme' }]));
});

test('a form in a dialog over its list is within its record', async () => {
  open('/jars/7', { page: false, form: { dialog: { width: 480 } } });
  const dialog = await screen.findByRole('dialog');
  expect((await within(dialog).findByRole('status', { name: 'Around' })).textContent).toBe('jars: Pepper');
});

test('the form of a request is within the record that it is made on', async () => {
  const { user } = open('/jars/7', {
    requests: { relabel: { label: 'Relabel', sets: ['label'], toast: 'Done.' } },
    form: { sections: [{ label: 'Jar', fields: ['name'] }] },
  });
  await user.click(await screen.findByRole('button', { name: 'Relabel' }));
  const dialog = await screen.findByRole('dialog');
  expect((await within(dialog).findByRole('status', { name: 'Around' })).textContent).toBe('jars: Pepper');
});

test('the page of a record is within it', async () => {
  open('/jars/7/view');
  expect(await readWords()).toBe('jars: Pepper');
});
