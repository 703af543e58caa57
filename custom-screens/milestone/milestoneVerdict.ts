import { addDays, daysBetween, shortDay } from '../../src/engine/formats/dates';
import { formatNumber } from '../../src/engine/formats/numbers';
import { percentOf } from '../../src/engine/formats/shares';
import { countAll, type ResultCounts } from '../results/results';

/** A milestone: when its tests began, and until when it is due. */
export interface MilestoneDays {
  /** The day on which it began. */
  readonly start: string;
  readonly due: string | null;
  /** It was finished by a person, whatever its tests say. */
  readonly isFinished?: boolean;
}

/** How a milestone stands. */
export interface Verdict {
  readonly label: 'No tests yet' | 'Done' | 'On track' | 'At risk' | 'Late';
  readonly tone: 'low' | 'medium' | 'urgent' | 'neutral';
  readonly sentence: string;
}

/**
 * How a milestone stands by the results of its runs: at the pace since it began its tests are run on a day, which is before it is
 * due or not.
 *
 * @example milestoneVerdict({ ...counts, passed: 5, not_run: 5 }, { start: '2026-11-01', due: '2026-12-04' }, '2026-11-11').label; // 'On track'
 */
export function milestoneVerdict(
  counts: ResultCounts,
  { start, due: dueDay, isFinished = false }: MilestoneDays,
  today: string,
): Verdict {
  const total = countAll(counts);
  if (total === 0 && !isFinished)
    return { label: 'No tests yet', tone: 'neutral', sentence: 'None of its runs has tests.' };
  const left = counts.not_run;
  const runCount = total - left;
  const isOpen = !isFinished && (left > 0 || counts.failed > 0 || counts.blocked > 0);
  if (total === 0) return { label: 'Done', tone: 'low', sentence: 'None of its runs has tests.' };
  const parts = [
    `${percentOf(runCount, total)}% run`,
    counts.failed === 0 ? 'none failed' : `${formatNumber(counts.failed)} failed`,
    ...(counts.blocked === 0 ? [] : [`${formatNumber(counts.blocked)} blocked`]),
  ];
  if (!isOpen) return { label: 'Done', tone: 'low', sentence: `${parts.join(', ')}.` };
  if (dueDay !== null && dueDay < today) {
    const notRun = left === 0 ? [] : [`${formatNumber(left)} not run`];
    return { label: 'Late', tone: 'urgent', sentence: `${[...parts, ...notRun].join(', ')}.` };
  }
  const days = daysToGo({ left, total }, start, today);
  if (left === 0 || days === undefined) return { label: 'At risk', tone: 'medium', sentence: `${parts.join(', ')}.` };
  const end = addDays(today, days);
  const isInTime = dueDay === null || end <= dueDay;
  return {
    ...(isInTime ? ({ label: 'On track', tone: 'low' } as const) : ({ label: 'At risk', tone: 'medium' } as const)),
    sentence: `${parts.join(', ')}. At this pace done on ${shortDay(end, today)}.`,
  };
}

/**
 * The days until the tests that are left are run, at the pace since a day; undefined: none was run.
 *
 * @example daysToGo({ left: 5, total: 10 }, '2026-11-01', '2026-11-11'); // 10
 */
export function daysToGo(
  { left, total }: { readonly left: number; readonly total: number },
  start: string,
  today: string,
): number | undefined {
  const runCount = total - left;
  return runCount === 0 ? undefined : Math.ceil((left * Math.max(1, daysBetween(start, today))) / runCount);
}

/**
 * The days until a milestone is due, in words.
 *
 * @example daysLeft('2026-12-04', '2026-11-27'); // '7 days left'
 */
export function daysLeft(dueDay: string, today: string): string {
  const days = daysBetween(today, dueDay);
  if (days === 0) return 'Due today';
  const words = Math.abs(days) === 1 ? '1 day' : `${formatNumber(Math.abs(days))} days`;
  return days > 0 ? `${words} left` : `${words} late`;
}
