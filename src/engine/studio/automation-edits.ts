import { joinNames } from '../formats/join-names';
import type { AutomationSource } from '../language/source';

/**
 * A new automation with a name of its own, which is valid as it is.
 *
 * @example newAutomation([]).name; // 'automation_1'
 */
export function newAutomation(automations: readonly { readonly name?: unknown }[]): AutomationSource {
  const names = new Set(automations.map(({ name }) => name));
  let number = automations.length + 1;
  while (names.has(`automation_${number}`)) number += 1;
  const step = { notify: 'created_by', text: 'Something happened here.' };
  return { name: `automation_${number}`, label: 'New automation', events: ['update'], steps: [step] };
}

const changeWords: Readonly<Record<string, string>> = { create: 'created', update: 'changed', delete: 'deleted' };

/**
 * The days of a schedule in words.
 *
 * @example describePeriod({ schedule: 'month', day: 'last' }); // 'on the last day of every month'
 */
export function describePeriod({
  schedule,
  weekdays = ['monday'],
  day = 1,
}: Pick<AutomationSource, 'schedule' | 'weekdays' | 'day'>): string {
  if (schedule === 'week') return `every ${joinNames(weekdays.map(firstUpper), 'and')}`;
  if (schedule === 'month') return day === 'last' ? 'on the last day of every month' : `on day ${day} of every month`;
  return 'every day';
}

const firstUpper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * The trigger of an automation, in few words.
 *
 * @example describeTrigger({ every: 'day', at: '08:00' }, labelOf); // 'every day at 08:00'
 */
export function describeTrigger(automation: Partial<AutomationSource>, labelOf: (field: string) => string): string {
  const { events, schedule, time = '00:00', dueTime, idleTime, transition } = automation;
  if (schedule !== undefined)
    return schedule === 'hour' ? `every hour at :${time.slice(3)}` : `${describePeriod(automation)} at ${time}`;
  if (dueTime !== undefined) return describeDueTime(dueTime, labelOf);
  if (idleTime !== undefined) return `after ${idleTime} without change`;
  if (transition !== undefined) return `${labelOf(transition.field)} becomes ${transition.to}`;
  if (events === undefined) return 'nothing starts it';
  return Array.isArray(events) ? events.map((event) => changeWords[event] ?? event).join(' or ') : '';
}

/**
 * A time of a record in words.
 *
 * @example describeDueTime({ field: 'due_at', offset: '-1h' }, labelOf); // '1 hour before Due At'
 */
export function describeDueTime(
  { field, offset }: { readonly field: string; readonly offset?: string | null },
  labelOf: (field: string) => string,
): string {
  const { count, unit, sign } = readLength(offset);
  if (count === undefined) return `at ${labelOf(field)}`;
  return `${count} ${unitWords[unit] ?? unit}${count === 1 ? '' : 's'} ${sign === '-' ? 'before' : 'after'} ${labelOf(field)}`;
}

const unitWords: Readonly<Record<string, string>> = { min: 'minute', h: 'hour', d: 'day', w: 'week' };

/**
 * The sign, number and unit of a length of time, or of an offset; no number for one that is none.
 *
 * @example readLength('-1h'); // { sign: '-', count: 1, unit: 'h' }
 */
export function readLength(length: unknown): {
  readonly sign: string;
  readonly count: number | undefined;
  readonly unit: string;
} {
  const [, sign = '', count, unit = 'd'] = /^([+-]?)(\d+)(min|h|d|w)$/.exec(String(length)) ?? [];
  return { sign, count: count === undefined ? undefined : Number(count), unit };
}
