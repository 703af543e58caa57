import { describe, expect, test } from 'vitest';
import type { Actor } from '../../src/engine/access/actor';
import type { Level } from '../../src/engine/definitions/definition';
import { validateForm } from '../../src/engine/forms/validate-form';
import { fieldStates } from '../../src/engine/forms/field-states';
import { formAccess } from '../../src/engine/forms/form-access';
import { initialValues } from '../../src/engine/forms/form-values';
import { requestBody, requestFormDefinition } from '../../src/engine/forms/request-form';
import { parseListState, formatListState } from '../../src/engine/lists/list-state';
import { presetsFromRecord, resolveValues } from '../../src/engine/lists/presets';
import { activeTab, filterWithFixed } from '../../src/engine/lists/tabs';
import { definition } from './support/definitions';
import { around } from './support/evaluation-context';

const things = definition({
  scope: 'company',
  fields: {
    name: { required: true },
    parent_id: { type: 'relation', to: 'parents', embed: 'parent' },
    region_id: { type: 'relation', to: 'regions' },
    person_id: { type: 'relation', to: 'users', choices: { parent_id: '$form.parent_id' } },
  },
  list: {
    tabs: [
      { name: 'open', label: 'Open ({total})', filter: { region_id: 1 } },
      { name: 'shut', label: 'Shut ({total})', filter: { region_id: 5 } },
    ],
  },
  requests: {
    say: {
      label: 'Comments',
      path: 'thing/{id}',
      sets: ['region_id', 'person_id'],
      adds: { resource: 'notes', relation: 'thing_id', fields: ['text'] },
      required: ['region_id', 'text'],
      visible: { region_id: { '$actor.level': { $ne: 6 } } },
    },
  },
  rules: [{ levels: [4], action: 'edit', fields: ['region_id'] }],
});
const notes = definition({
  name: 'notes',
  fields: { text: { type: 'textarea' }, thing_id: { type: 'relation', to: 'things' } },
});

const actor = (level: Level): Actor => ({
  id: 7,
  role_id: level,
  level,
  site_id: 1,
  permissions: { things: ['list', 'view', 'edit'] },
});

describe('tabs of a list', () => {
  const read = (query: string) => parseListState(new URLSearchParams(query).entries(), things);

  test.each([
    ['', 'open', ''],
    ['tab=open', 'open', ''],
    ['tab=shut', 'shut', 'tab=shut'],
    ['tab=other', 'open', ''],
    ['tab=shut&q=x', 'shut', 'q=x&tab=shut'],
  ])('the address %j opens the tab %s', (query, name, written) => {
    expect(activeTab(things, read(query))!.name).toBe(name);
    expect(new URLSearchParams(formatListState(read(query), things)).toString()).toBe(written);
  });

  test('limit the filters that a user can set', () => {
    const state = read('tab=shut&q=x&region_id=1&parent_id=3');
    const { filter } = activeTab(things, state)!;
    expect(filterWithFixed(state, filter)).toEqual({ q: 'x', parent_id: 3, region_id: 5 });
  });

  test('are absent if the definition has none', () => {
    expect(activeTab(notes, read(''))).toBeUndefined();
  });
});

describe('initial values that come from a record', () => {
  const record = { id: 3, name: 'One', parent_id: 9, parent: { id: 9, name: 'Above' } };

  test('replace their variables; those without a value are left out', () => {
    const written = { thing_id: '$record.id', by: '$actor.id', kind: 'x', gone: '$record.nothing', none: null };
    expect(resolveValues(written, { ...around, actor: actor(3), record })).toEqual({ thing_id: 3, by: 7, kind: 'x' });
  });

  test('are fixed for the user, and show the names of their records', () => {
    const child = definition({
      name: 'children',
      fields: {
        parent_id: { type: 'relation', to: 'parents', embed: 'parent' },
        thing_id: { type: 'relation', to: 'things', embed: 'thing', choices: { parent_id: '$form.parent_id' } },
      },
    });
    const presets = presetsFromRecord(child, { thing_id: '$record.id' }, { definition: things, record }, around);
    expect(presets.fixed).toEqual(['thing_id']);
    expect(presets.record).toMatchObject({ thing_id: 3, thing: record, parent_id: 9, parent: { id: 9 } });
  });

  test('initial values can be changed, and related records are shown by their names', () => {
    const record = { id: 3, name: 'Three', parent_id: 9, parent: { id: 9, name: 'Nine' } };
    const child = definition({
      name: 'children',
      fields: { title: {}, above_id: { type: 'relation', to: 'parents', embed: 'above' } },
    });
    const presets = presetsFromRecord(child, {}, { definition: things, record }, around, {
      title: '$record.name',
      above_id: '$record.parent_id',
    });
    expect(presets).toEqual({ fixed: [], record: { title: 'Three', above_id: 9, above: { id: 9, name: 'Nine' } } });
  });

  test('a relation to several records begins with the record that it is added from', () => {
    const team = definition({
      name: 'teams',
      fields: { thing_ids: { type: 'relations', to: 'things', embed: 'members' } },
    });
    const record = { id: 3, name: 'Three' };
    const presets = presetsFromRecord(team, { thing_ids: '$record.id' }, { definition: things, record }, around);
    expect(presets.record).toEqual({ thing_ids: [3], members: [record] });
  });
});

describe('the dialog of a request', () => {
  const request = things.requests.say!;
  const form = requestFormDefinition(things, request, notes);
  const fields = Object.values(form.fields);

  function on(level: Level, values: Record<string, unknown>) {
    const evaluationContext = {
      ...around,
      actor: actor(level),
      record: { id: 1, name: 'One', parent_id: 9, region_id: 1 },
    };
    const access = formAccess(form, 'edit', actor(level), evaluationContext.record, evaluationContext);
    const states = fieldStates(form, fields, 'edit', access, values, evaluationContext);
    const shown = Object.keys(states).filter((name) => states[name]!.visible && !states[name]!.readOnly);
    const errors = validateForm(form, fields, states, values, evaluationContext);
    return { shown, errors, body: requestBody(form, states, values) };
  }

  test('has the fields that the request sets and those of the added record', () => {
    const { shown, errors, body } = on(3, { parent_id: 9, region_id: 2, person_id: null, text: ' Hello ' });
    expect(shown).toEqual(['region_id', 'person_id', 'text']);
    expect(errors).toEqual({});
    expect(body).toEqual({ region_id: 2, person_id: null, text: 'Hello' });
  });

  test('shows a field by a condition on the record, as the server does, with the values of the dialog', () => {
    const asked = { ...request, visible: { text: { name: 'One', region_id: 2 } } };
    const own = requestFormDefinition(things, asked, notes);
    const record = { id: 1, name: 'One', region_id: 1 };
    const evaluationContext = { ...around, actor: actor(3), record };
    const access = formAccess(own, 'edit', actor(3), record, evaluationContext);
    const isShown = (values: object) =>
      fieldStates(own, Object.values(own.fields), 'edit', access, { ...values }, evaluationContext).text!.visible;
    // The dialog begins with the values of the record for all fields of its form.
    expect(Object.keys(own.fields)).toContain('name');
    const begun = initialValues(own, Object.values(own.fields), 'edit', record, evaluationContext);
    expect(isShown(begun)).toBe(false);
    expect(isShown({ ...begun, region_id: 2 })).toBe(true);
    expect(isShown({ ...begun, name: 'Two', region_id: 2 })).toBe(false);
  });

  test('requires the fields that the request requires', () => {
    expect(on(3, { parent_id: 9, region_id: null, text: '' }).errors).toEqual({
      region_id: 'Region is required.',
      text: 'Text is required.',
    });
  });

  test('neither shows, requires nor sends hidden fields', () => {
    const { shown, errors, body } = on(6, { parent_id: 9, region_id: 1, text: 'Hello' });
    expect(shown).toEqual(['person_id', 'text']);
    expect(errors).toEqual({});
    expect(body).not.toHaveProperty('region_id');
  });

  test('applies the field rules of the record, but not to the added record', () => {
    expect(on(4, { parent_id: 9, region_id: 2, text: 'Hello' }).shown).toEqual(['region_id', 'text']);
  });
});
