import type { Source } from '../../../src/engine/definitions/source';
import type { ModuleVersion } from '../../../src/engine/studio/module';
import { whoAndWhen } from '../whoAndWhen';

/** One of the two texts that are compared: a version, or the reader's own draft. */
export interface Side {
  /** As the address says it: `draft`, `14`. */
  readonly key: string;
  readonly title: string;
  /** Who made it, and when. */
  readonly by: string;
  readonly source: Source;
  /** What is in force now. */
  readonly current: boolean;
  /** undefined for the draft. */
  readonly version?: number;
}

/** The key of the reader's own draft. */
export const draftKey = 'draft';

const became: Readonly<Record<ModuleVersion['event'], string>> = {
  published: '',
  shipped: ', shipped',
  restored: ', restored',
  merged: ', joined with an upgrade',
  returned: ', returned to shipped',
  retired: ', retired',
};

/** Everything that can be compared, the newest first; `draft` is what the reader left of one. */
export function sidesOf(versions: readonly ModuleVersion[], draft: Source | null): Side[] {
  const published = versions.map((made, index): Side => {
    const { version, event, definition } = made;
    return {
      key: String(version),
      title: `Version ${version}${became[event]}`,
      by: whoAndWhen(made),
      source: definition,
      current: index === 0 && event !== 'retired',
      version,
    };
  });
  if (!draft) return published;
  return [{ key: draftKey, title: 'Draft', by: 'you, now', source: draft, current: false }, ...published];
}

/**
 * The two sides that the address asks for, the older one left; else what is newest and what stands before it, or what
 * the draft was made from.
 */
export function chosenSides(
  sides: readonly Side[],
  from: string | null,
  to: string | null,
  base: number | undefined,
): [Side, Side] | null {
  const [newest] = sides;
  if (!newest) return null;
  const right = sides.find(({ key }) => key === to) ?? newest;
  const made = right.version === undefined && sides.find(({ version }) => version !== undefined && version === base);
  const before = made || (sides[sides.indexOf(right) + 1] ?? right);
  return [sides.find(({ key }) => key === from) ?? before, right];
}

/** The sides after a click on one in the list: what is newer than the right one takes its place, else that of the left one. */
export function afterClick(sides: readonly Side[], [left, right]: [Side, Side], clicked: Side): [Side, Side] {
  if (clicked === right || clicked === left) return [left, right];
  return sides.indexOf(clicked) < sides.indexOf(right) ? [left, clicked] : [clicked, right];
}
