import { act, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Actor } from '../../../src/engine/access/actor';
import { createRegistry } from '../../../src/engine/registry/registry';
import type { Source } from '../../../src/engine/language/source';
import type { Module } from '../../../src/engine/studio/module';
import { DefinitionsContext } from '../../../src/app/data/DefinitionsContext';
import { DraftProvider } from '../../../src/app/studio/draft/DraftProvider';
import { FieldsPane } from '../../../src/app/studio/fields/FieldsPane';
import { PropertiesPane } from '../../../src/app/studio/properties/PropertiesPane';

const rendered = vi.hoisted(() => ({ inputs: [] as string[], entries: 0 }));

vi.mock('../../../src/app/studio/properties/LabelledInput', async (original) => {
  const { LabelledInput } = await original<typeof import('../../../src/app/studio/properties/LabelledInput')>();
  return {
    LabelledInput: (props: Parameters<typeof LabelledInput>[0]) => {
      rendered.inputs.push(props.label);
      return LabelledInput(props);
    },
  };
});
// Each entry of the list of fields has one grip.
vi.mock('../../../src/app/icons/Icon', () => ({
  Icon: ({ name }: { name: string }): ReactNode => {
    if (name === 'grip') rendered.entries++;
    return null;
  },
}));

const wide: Source = {
  name: 'boats',
  labels: { one: 'Boat', many: 'Boats' },
  fields: Object.fromEntries(
    Array.from({ length: 61 }, (_, at) => [`field_${at}`, { type: 'text', label: `Field ${at}` }]),
  ),
};
const module: Module = {
  ...{ name: 'boats', labels: wide.labels, definition: wide, origin: 'custom', version: 1, customised: false },
  ...{ retired: false, changed: null, shipped: null, upgrade: null, hidden: [] },
};
const actor: Actor = { id: 1, level: 1, companyId: null, roleId: 1, permissions: {} } as unknown as Actor;

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  // The plan never comes: what it changes is not of interest here.
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  Object.assign(rendered, { inputs: [], entries: 0 });
});

it('typing a label of a definition with 61 fields renders its input, and nothing of the other fields', async () => {
  render(
    <MemoryRouter initialEntries={['/studio/boats?at=/fields/field_30']}>
      <DefinitionsContext value={{ registry: createRegistry([]), actor }}>
        <DraftProvider module={module} savedDraft={null}>
          <FieldsPane />
          <PropertiesPane />
        </DraftProvider>
      </DefinitionsContext>
    </MemoryRouter>,
  );
  expect(rendered.entries).toBeGreaterThanOrEqual(61);
  const label = screen.getByRole<HTMLInputElement>('textbox', { name: 'Label' });
  const type = (text: string) => act(async () => fireEvent.change(label, { target: { value: text } }));
  // With the first key the field's entry says that it is changed.
  await type('Field 30a');
  Object.assign(rendered, { inputs: [], entries: 0 });
  for (const text of ['Field 30ab', 'Field 30abc', 'Field 30abcd']) await type(text);
  expect(label.value).toBe('Field 30abcd');
  expect(screen.getByLabelText('field_30 as JSON').textContent).toContain('Field 30abcd');
  expect(rendered.inputs).toEqual(['Label', 'Label', 'Label']);
  // Its own entry shows the label.
  expect(rendered.entries).toBe(3);
});
