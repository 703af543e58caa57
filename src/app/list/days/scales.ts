import { addDays } from '../../../engine/formats/dates';
import { firstOf } from '../../../engine/values/lookups';
import { addMonths, weekOf, weeksOfMonth } from './layout';
import { monthName, spanWords } from './words';

/** How many days a calendar or timeline shows at a time. */
export interface Scale {
  readonly name: string;
  readonly label: string;
  /** The word for one step of its arrows. */
  readonly step: string;
  /** The days that are shown around a day. */
  readonly rangeOf: (day: string) => { readonly first: string; readonly count: number };
  readonly titleOf: (day: string) => string;
  /** A day so many steps later or earlier. */
  readonly go: (day: string, steps: number) => string;
}

/** Whole weeks, the first of them some weeks before that of the day. */
function weeks(count: number, leadingWeeks: number): Pick<Scale, 'rangeOf' | 'titleOf' | 'go'> {
  const firstDayOf = (day: string) => addDays(weekOf(day), -7 * leadingWeeks);
  return {
    rangeOf: (day) => ({ first: firstDayOf(day), count: 7 * count }),
    titleOf: (day) => spanWords({ from: firstDayOf(day), to: addDays(firstDayOf(day), 7 * count - 1) }),
    go: (day, steps) => addDays(day, steps * 7 * count),
  };
}

/** The choices of each view; the first is the default. */
export const scales: Readonly<Record<'calendar' | 'timeline', readonly [Scale, ...Scale[]]>> = {
  calendar: [
    {
      ...{ name: 'month', label: 'Month', step: 'month' },
      rangeOf: (day) => ({ first: firstOf(weeksOfMonth(day)), count: weeksOfMonth(day).length * 7 }),
      titleOf: monthName,
      go: (day, steps) => addMonths(`${day.slice(0, 7)}-01`, steps),
    },
    { name: 'week', label: 'Week', step: 'week', ...weeks(1, 0) },
  ],
  timeline: [
    { name: 'month', label: 'Month', step: 'four weeks', ...weeks(4, 1) },
    { name: 'weeks', label: 'Weeks', step: 'two weeks', ...weeks(2, 0) },
    { name: 'quarter', label: 'Quarter', step: 'quarter', ...weeks(13, 2) },
  ],
};
