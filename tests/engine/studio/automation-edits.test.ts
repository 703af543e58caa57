import { describe, expect, it } from 'vitest';
import type { AutomationSource } from '../../../src/engine/language/source';
import { describeTrigger, newAutomation, readLength } from '../../../src/engine/studio/automation-edits';
import { faultsOf, shipped } from './support/all';

describe('automations that are edited in the studio', () => {
  it('are valid when they are added, each with a name of its own', () => {
    const first = newAutomation([]);
    const second = newAutomation([first]);
    expect(second.name).not.toBe(first.name);
    expect(newAutomation([{ name: 'automation_2' }]).name).toBe('automation_3');
    expect(faultsOf({ ...shipped.shots!, automations: [first, second] })).toEqual([]);
  });

  it('have a short description of their trigger', () => {
    const told = (automation: Partial<AutomationSource>) => describeTrigger(automation, () => 'State');
    expect(told({ schedule: 'day' })).toBe('every day at 00:00');
    expect(told({ schedule: 'hour', time: '04:30' })).toBe('every hour at :30');
    expect(told({ dueTime: { field: 'due_at', offset: '-1h' } })).toBe('1 hour before State');
    expect(told({ dueTime: { field: 'due_at', offset: '+2d' } })).toBe('2 days after State');
    expect(told({ dueTime: { field: 'due_at' } })).toBe('at State');
    expect(told({ idleTime: '3h' })).toBe('after 3h without change');
    expect(told({ transition: { field: 'state', to: 'done' }, events: ['create'] })).toBe('State becomes done');
    expect(told({ events: ['create', 'delete'] })).toBe('created or deleted');
    expect(told({})).toBe('nothing starts it');
    expect(told({ events: 'update' as never, schedule: undefined })).toBe('');
  });
});

it('a length of time in an automation is a sign, a number and a unit', () => {
  expect(readLength('90min')).toEqual({ sign: '', count: 90, unit: 'min' });
  expect(readLength('-1h')).toEqual({ sign: '-', count: 1, unit: 'h' });
  for (const other of ['7', 'd', '', 7, undefined, '1.5h']) expect(readLength(other).count).toBeUndefined();
});
