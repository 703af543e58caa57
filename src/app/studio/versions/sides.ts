import type { Source } from '../../../engine/language/source';
import type { ModuleVersion } from '../../../engine/studio/module';
import { authorAndDate } from '../authorAndDate';

/** One of the two compared texts: a version, or the user's draft. */
export interface ComparedSide {
  /** As in the address: `draft`, `14`. */
  readonly key: string;
  readonly title: string;
  /** Its author and date. */
  readonly author: string;
  /** The note of its author. */
  readonly note?: string;
  readonly source: Source;
  /** Whether it is the published version. */
  readonly current: boolean;
  /** Undefined for the draft. */
  readonly version?: number;
}

/** The key of the user's draft. */
const draftKey = 'draft';

const eventSuffixes: Readonly<Record<ModuleVersion['event'], string>> = {
  published: '',
  shipped: ', shipped',
  restored: ', restored',
  merged: ', merged with an upgrade',
  returned: ', reset to shipped',
  retired: ', retired',
};

/** Everything that can be compared, newest first; `draft`: the user's saved draft. */
export function comparableSides(versions: readonly ModuleVersion[], draft: Source | null): ComparedSide[] {
  const publishedSides = versions.map((moduleVersion, index): ComparedSide => {
    const { version, event, definition } = moduleVersion;
    return {
      key: String(version),
      title: `Version ${version}${eventSuffixes[event]}`,
      author: authorAndDate(moduleVersion),
      ...(moduleVersion.note !== null && { note: moduleVersion.note }),
      source: definition,
      current: index === 0 && event !== 'retired',
      version,
    };
  });
  if (!draft) return publishedSides;
  return [{ key: draftKey, title: 'Draft', author: 'you, now', source: draft, current: false }, ...publishedSides];
}

/**
 * The two sides that the address selects, the older one left. Default: the newest one, and the one before it or the
 * version that the draft is based on.
 */
export function selectedSides(
  sides: readonly ComparedSide[],
  oldKey: string | null,
  newKey: string | null,
  base: number | undefined,
): [ComparedSide, ComparedSide] | null {
  const [newest] = sides;
  if (!newest) return null;
  const right = sides.find(({ key }) => key === newKey) ?? newest;
  const baseVersion =
    right.version === undefined && sides.find(({ version }) => version !== undefined && version === base);
  const sideBefore = baseVersion || (sides[sides.indexOf(right) + 1] ?? right);
  return [sides.find(({ key }) => key === oldKey) ?? sideBefore, right];
}

/** The sides after a click in the list: a newer one than the right side replaces it, otherwise the left side is replaced. */
export function sidesAfterClick(
  sides: readonly ComparedSide[],
  [left, right]: [ComparedSide, ComparedSide],
  clicked: ComparedSide,
): [ComparedSide, ComparedSide] {
  if (clicked === right || clicked === left) return [left, right];
  return sides.indexOf(clicked) < sides.indexOf(right) ? [left, clicked] : [clicked, right];
}
