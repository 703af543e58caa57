import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { formSections } from '../../../src/engine/forms/form-fields';
import { fakeServer, shippedDefinitions } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

/** One loop over all definitions: a new file in `resources/` is covered without touching a test. */
const definitions = shippedDefinitions().filter(({ form }) => !form.dialog);

test.each(definitions.map((definition) => [definition.name, definition] as const))(
  '%s: the form shows every section and field',
  async (name, definition) => {
    fakeServer({ level: 1 });
    renderApp(`/${name}/create`);
    await screen.findByText('Save');
    expect(document.querySelector('h1')!.textContent).toContain(definition.titles.create);
    const shown = document.querySelector('form')!.textContent;
    for (const { label, fields } of formSections(definition, 'create', { level: 1 })) {
      expect(shown).toContain(label);
      for (const field of fields.filter((one) => !one.visible && one.type !== 'permissions')) {
        expect(shown, field.name).toContain(field.label);
      }
    }
  },
);
