import { setPersonalFormats } from '../../engine/formats/personal';

/** What somebody prefers, as `GET me` says; null: as for everybody who chose nothing. */
export interface Preferences {
  formats: string | null;
  /** 0 for Sunday to 6. */
  week_start: number | null;
  density: 'comfortable' | 'compact' | null;
}

/** Counts what was applied: other formats take a moment to load, and the last choice applies. */
let applied = 0;

/** Shows dates, numbers, rows and forms as somebody prefers. What knows other formats is loaded for those who chose one. */
export async function applyPreferences(chosen?: Preferences): Promise<void> {
  const { formats, week_start = null, density } = chosen ?? {};
  const mine = ++applied;
  document.documentElement.dataset.density = density ?? '';
  const made = formats && (await import('./loadFormats')).loadFormats(formats);
  if (mine === applied) setPersonalFormats(made || undefined, week_start);
}
