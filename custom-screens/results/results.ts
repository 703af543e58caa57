import type { IconName } from '../../src/app/icons/icons';

/** The words for results, in the order in which they are always shown. */
export const resultOrder = ['passed', 'flaky', 'failed', 'blocked', 'skipped', 'not_run'] as const;
export type ResultName = (typeof resultOrder)[number];

/** How many tests have each result. */
export type ResultCounts = Readonly<Record<ResultName, number>>;

export const resultNames: Readonly<Record<ResultName, string>> = {
  passed: 'Passed',
  flaky: 'Flaky',
  failed: 'Failed',
  blocked: 'Blocked',
  skipped: 'Skipped',
  not_run: 'Not run',
};

export const resultGlyphs: Readonly<Record<ResultName, IconName>> = {
  passed: 'check',
  flaky: 'activity',
  failed: 'x',
  blocked: 'block',
  skipped: 'skip',
  not_run: 'minus',
};

/** Their colours in charts, by the names of tokens. */
export const resultColours: Readonly<Record<ResultName, string>> = {
  passed: 'low',
  flaky: 'medium',
  failed: 'urgent',
  blocked: 'high',
  skipped: 'control',
  not_run: 'line-2',
};

/** Tokens of the results that have a colour of their own: by itself of a bar, with `-t` of text, with `-bg` behind it. */
const hues: Readonly<Record<string, string | undefined>> = {
  passed: 'low',
  flaky: 'medium',
  failed: 'urgent',
  broken: 'urgent',
  blocked: 'high',
};

/** Style of a part of a bar in the colour of a result; the others have that of a token. */
export const resultFill = (result: string, otherToken: string) => ({
  background: `var(--${hues[result] ?? otherToken})`,
});

/** Style of text in the colour of a result; the others have that of a token. */
export const resultText = (result: string, otherToken = 't3') => ({
  color: hues[result] ? `var(--${hues[result]}-t)` : `var(--${otherToken})`,
});

/** Style of text on the ground of a result; the others have neutral ones. */
export const resultGround = (result: string) => {
  const hue = hues[result] ?? 'neutral';
  return { background: `var(--${hue}-bg)`, color: `var(--${hue}-t)` };
};

/** How many tests there are with any result. */
export const countAll = (counts: ResultCounts): number => resultOrder.reduce((sum, name) => sum + counts[name], 0);

/** Whether a result is shown: machines alone find tests flaky, so that word is there only where a test is. */
const isListed = (counts: ResultCounts, name: ResultName) => name !== 'flaky' || counts.flaky > 0;

export const listedResults = (counts: ResultCounts): readonly ResultName[] =>
  resultOrder.filter((name) => isListed(counts, name));
