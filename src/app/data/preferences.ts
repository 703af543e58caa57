import { setPersonalFormats } from '../../engine/formats/personal';

/** A user's preferences, as `GET me` says; null: as for everybody who chose nothing. */
export interface Preferences {
  formats: string | null;
  /** 0 for Sunday to 6. */
  week_start: number | null;
  density: 'comfortable' | 'medium' | 'compact' | null;
}

/** Counts what was applied: other formats take a moment to load, and the last choice applies. */
let applyCount = 0;

/** Shows dates, numbers, rows and forms as somebody prefers. The code of other formats is loaded for those who chose one. */
export async function applyPreferences(preferences?: Preferences): Promise<void> {
  const { formats, week_start = null, density } = preferences ?? {};
  const ownCount = ++applyCount;
  document.documentElement.dataset.density = density ?? '';
  const customFormats = formats && (await import('./loadFormats')).loadFormats(formats);
  if (ownCount === applyCount) setPersonalFormats(customFormats || undefined, week_start);
}
