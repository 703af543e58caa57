import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createRegistry } from '../../../src/engine/registry/registry';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { AutomationSource, Source } from '../../../src/engine/language/source';
import { AutomationsPanel } from '../../../src/app/studio/parts/automations/AutomationsPanel';
import { draftNow, showPanel } from './showPanel';

const harbours = {
  name: 'harbours',
  labels: { one: 'Harbour', many: 'Harbours' },
  fields: { name: { type: 'text' }, master_id: { type: 'relation', to: 'users', label: 'Master' } },
} as unknown as Source;
const boats = (...when: object[]) =>
  ({
    name: 'boats',
    labels: { one: 'Boat', many: 'Boats' },
    fields: {
      name: { type: 'text' },
      harbour_id: { type: 'relation', to: 'harbours' },
      skipper_id: { type: 'relation', to: 'users', label: 'Skipper' },
      state: { type: 'select', options: [{ value: 'afloat' }, { value: 'sunk', label: 'Sunk' }] },
      mast: { type: 'number' },
      seen_on: { type: 'date', label: 'Last Seen' },
    },
    automations: when,
  }) as unknown as Source;
const sunk = { name: 'sunk', label: 'Boat sank', events: ['update'], steps: [{ notify: 'skipper_id', text: 'Sunk' }] };
const users = {
  name: 'users',
  labels: { one: 'User', many: 'Users' },
  fields: { name: { type: 'text' }, email: { type: 'email' } },
} as unknown as Source;

const registry = () => createRegistry([boats(sunk), harbours, users].map((source) => normalise(source)));

function show(definition = boats(sunk), answer?: (path: string, body: unknown) => unknown) {
  const user = showPanel(<AutomationsPanel />, definition, registry(), answer);
  const click = (role: string, name: string | RegExp) => user.click(screen.getByRole(role, { name }));
  const choose = async (box: string, option: string) => {
    await click('combobox', box);
    await click('option', option);
  };
  return { user, click, choose };
}

const first = () => draftNow().automations![0]!;

describe('the panel of automations', () => {
  it('lists each with what starts it and whether it is changed, adds and removes', async () => {
    const { user, click } = show();
    const list = screen.getByRole('list', { name: 'Automations' });
    expect(within(list).getByRole('button', { name: /^Boat sank/ }).textContent).toBe('Boat sankchanged');
    await click('button', 'Add an automation');
    expect(draftNow().automations).toHaveLength(2);
    expect(screen.getByRole('button', { name: /^New automation/ }).textContent).toContain('changed, new');
    await click('button', /^Boat sank/);
    await user.type(screen.getByRole('textbox', { name: 'Label' }), '!');
    expect(screen.getByRole('button', { name: /^Boat sank!/, expanded: true }).textContent).toContain(
      'changed, changed',
    );
    await click('button', 'Remove Boat sank!');
    await click('button', 'Remove New automation');
    expect(draftNow()).not.toHaveProperty('automations');
  });

  it('asks for the keys of each start, and forgets those of another', async () => {
    const { user, click, choose } = show();
    await click('button', /^Boat sank/);
    await choose('Starts', 'When a field becomes a value');
    expect(first().transition).toEqual({ field: 'state', to: 'afloat' });
    await choose('Becomes', 'Sunk');
    expect(first().transition).toEqual({ field: 'state', to: 'sunk' });
    await choose('Field', 'Mast');
    await user.clear(screen.getByRole('textbox', { name: 'Becomes' }));
    await user.type(screen.getByRole('textbox', { name: 'Becomes' }), '12');
    expect(first().transition).toEqual({ field: 'mast', to: 12 });

    await choose('Starts', 'At a time');
    await choose('How often', 'Every hour');
    await user.type(screen.getByRole('textbox', { name: 'At' }), '00:30');
    expect(first()).toEqual({ ...sunk, events: undefined, schedule: 'hour', time: '00:30', runAs: 'created_by' });
    expect(first()).not.toHaveProperty('transition');

    await choose('Starts', 'At a time of the record');
    expect(first()).toEqual({
      ...sunk,
      events: undefined,
      dueTime: { field: 'created_at', offset: '+1d' },
      runAs: 'created_by',
    });
    expect(screen.queryByRole('textbox', { name: 'Time of day' })).toBeNull();
    await choose('Date', 'Last Seen');
    await choose('Before or after', 'Before');
    await user.clear(screen.getByRole('spinbutton', { name: 'How long before or after' }));
    await user.type(screen.getByRole('spinbutton', { name: 'How long before or after' }), '2');
    await choose('Unit of the time before or after', 'hours');
    await user.type(screen.getByRole('textbox', { name: 'Time of day' }), '08:00');
    expect(first().dueTime).toEqual({ field: 'seen_on', offset: '-2h', timeOfDay: '08:00' });
    await choose('Before or after', 'At its time');
    expect(first().dueTime).toEqual({ field: 'seen_on', timeOfDay: '08:00' });

    await choose('Starts', 'After a time without change');
    await user.clear(screen.getByRole('spinbutton', { name: 'Without change for' }));
    await user.type(screen.getByRole('spinbutton', { name: 'Without change for' }), '3');
    await choose('Unit of the time without change', 'weeks');
    expect(first()).toMatchObject({ idleTime: '3w', runAs: 'created_by' });
    expect(first()).not.toHaveProperty('every');
  });

  it('offers paths to users for whom it runs as, and takes any address', async () => {
    const { user, click } = show();
    await click('button', /^Boat sank/);
    const box = screen.getByRole('combobox', { name: 'With the permissions of' });
    await user.click(box);
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining([expect.stringContaining('Skipper'), expect.stringContaining('Harbour › Master')]),
    );
    await click('option', /Harbour › Master/);
    expect(first().runAs).toBe('harbour_id.master_id');
    await user.clear(box);
    expect(first()).not.toHaveProperty('as');
    await user.type(box, 'robot@example.com');
    expect(first().runAs).toBe('robot@example.com');
  });

  it('has inputs for every kind of step, with the types of the fields that it sets', async () => {
    const { user, click, choose } = show();
    await click('button', /^Boat sank/);
    await click('button', /^Notify/);
    await choose('Whom', 'Everybody of roles, in the company');
    expect(first().steps[0]!.notify).toEqual({ levels: [2] });
    await user.type(screen.getByRole('combobox', { name: 'For roles' }), 'crew{Enter}');
    expect(first().steps[0]!.notify).toEqual({ levels: [2], roles: ['crew'] });

    await choose('Does', 'Set fields');
    await click('button', 'Add a value');
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).not.toContain('Created By');
    await click('menuitem', 'Mast');
    expect(first().steps[0]).toEqual({ set: { mast: null } });
    expect(screen.getByText('becomes empty')).toBeTruthy();
    await user.type(screen.getByRole('textbox', { name: 'Mast: value' }), '7');
    expect(first().steps[0]).toEqual({ set: { mast: 7 } });
    await click('button', 'Add a value');
    await click('menuitem', 'Last Seen');
    await click('button', 'Last Seen: value: variable');
    await click('menuitem', 'today');
    expect(first().steps[0]).toEqual({ set: { mast: 7, seen_on: '$today' } });

    await choose('Does', 'Create records');
    await choose('Record of', 'Boats');
    await click('button', 'Add a value');
    await click('menuitem', 'Harbour');
    await click('button', 'Harbour: value: variable');
    await click('menuitem', 'Harbour of the boat');
    expect(first().steps[0]).toEqual({ create: 'boats', values: { harbour_id: '$record.harbour_id' } });

    await choose('Does', 'Send a mail');
    await user.type(screen.getByRole('combobox', { name: 'Template' }), 'storm');
    await user.clear(screen.getByRole('textbox', { name: 'Subject' }));
    await user.clear(screen.getByRole('textbox', { name: 'Text' }));
    expect(first().steps[0]).toEqual({ mail: { to: 'created_by', template: 'storm' } });
    expect(screen.queryByRole('textbox', { name: 'Subject' })).toBeNull();

    await choose('Does', 'Call a webhook');
    await user.type(screen.getByRole('combobox', { name: 'Webhook' }), 'coastguard');
    expect(first().steps[0]).toEqual({ webhook: 'coastguard' });
  });

  it('keeps keys and values that it does not know', async () => {
    const strange = { ...sunk, later: { a: 1 }, steps: [{ set: { mast: { $if: [] }, state: 'sunk' }, note: 1 }] };
    const { user, click } = show(boats(strange));
    await click('button', /^Boat sank/);
    await user.type(screen.getByRole('textbox', { name: 'Label' }), '!');
    await click('button', /^Set fields/);
    await click('button', 'Remove the value of State');
    expect(first()).toEqual({
      ...strange,
      label: 'Boat sank!',
      steps: [{ set: { mast: { $if: [] } }, note: 1 }],
    } as unknown as AutomationSource);
  });

  it('shows a fault of the plan at its input, and marks the automation', async () => {
    const { user, click } = show(boats(sunk), (path) =>
      path.endsWith('/plan')
        ? {
            data: {
              valid: false,
              steps: [],
              errors: [
                { path: '/automations/0', message: 'Nothing says when it runs.' },
                { path: '/automations/0/steps/0/notify', message: 'It does not lead to any users.' },
              ],
            },
          }
        : undefined,
    );
    await click('button', /^Boat sank/);
    await click('button', /^Notify/);
    await user.type(screen.getByRole('textbox', { name: 'Label' }), '!');
    await waitFor(() => expect(screen.getByText('It does not lead to any users.')).toBeTruthy());
    expect(screen.getByRole('combobox', { name: 'People' }).getAttribute('aria-describedby')).toBe(
      screen.getByText('It does not lead to any users.').id,
    );
    expect(screen.getByRole('alert').textContent).toBe('Nothing says when it runs.');
  });
});

describe('trying automations out', () => {
  const tried = {
    ...{ name: 'sunk', label: 'Boat sank', runs: true, reason: 'Because the boat was changed.', unmet: [] },
    ...{ as: 'Maya', state: 'refused', message: 'Maya may not see it.' },
    steps: [{ step: 'notify', text: 'Notified 1 user.', messages: [{ user: 'Ann', text: 'Sunk' }] }],
  };
  const waits = { ...tried, name: 'b', label: 'Calm', runs: false, state: null, message: null, as: null, steps: [] };

  it('says what the draft would do for a chosen record, or why it would not run', async () => {
    const asked: unknown[] = [];
    const { user, click, choose } = show(boats(sunk), (path, body) => {
      if (path.endsWith('/try')) {
        asked.push(body);
        const automations = [tried, { ...waits, reason: 'Its condition is not met.', unmet: ['mast is 2'] }];
        return { data: { note: 'Its automations alone were tried out.', automations } };
      }
      return path.includes('/boats/choices') ? { data: [{ id: 7, title: 'Petrel' }] } : undefined;
    });
    const start = screen.getByRole<HTMLButtonElement>('button', { name: 'Try out' });
    expect(start.disabled).toBe(true);
    await user.click(screen.getByRole('combobox', { name: 'Boat' }));
    await user.click(await screen.findByRole('option', { name: /Petrel/ }));
    await choose('What happens to it', 'It is changed');
    await click('button', 'Add a changed value');
    await click('menuitem', 'Mast');
    await user.type(screen.getByRole('textbox', { name: 'Mast: value' }), '2');
    await user.click(start);
    const list = await screen.findByRole('list', { name: 'What would happen' });
    expect(asked).toEqual([{ definition: draftNow(), record: 7, trigger: 'update', changed: { mast: 2 } }]);
    expect(list.textContent).toContain('Boat sankWould be refused');
    expect(list.textContent).toContain('With the permissions of Maya.Maya may not see it.');
    expect(list.textContent).toContain('Ann: Sunk');
    expect(list.textContent).toContain('CalmWould not runIts condition is not met.mast is 2');
    expect(screen.getByText('Its automations alone were tried out.')).toBeTruthy();
    await click('button', 'Add an automation');
    expect(screen.getByText(/^The draft has changed since/)).toBeTruthy();
  });

  it('is not offered without an automation', () => {
    show(boats());
    expect(screen.queryByRole('region', { name: 'Try out' })).toBeNull();
  });
});
