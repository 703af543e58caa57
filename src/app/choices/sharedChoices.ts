import type { Choice, ChoiceSource } from './choice';
import { choicesPageSize } from './loadChoices';

/** Choices of several sources. */
export interface SharedChoices {
  /** Those that all sources have. */
  readonly offered: readonly Choice[];
  /** Those that some of them have, as far as that is known. */
  readonly excluded: readonly Choice[];
}

/**
 * Loads the choices that all of several sources have for a text. If no source has all of its choices on one page, those
 * of the first page of one of them are compared, and a longer text finds the others.
 *
 * @example const { offered, excluded } = await loadSharedChoices(sources, 'gra', signal);
 */
export async function loadSharedChoices(
  sources: readonly ChoiceSource[],
  text: string,
  signal?: AbortSignal,
): Promise<SharedChoices> {
  const pages = await Promise.all(sources.map(({ load }) => load(text, signal)));
  const isWhole = (page: readonly Choice[]) => page.length < choicesPageSize;
  const shortest = pages.toSorted((one, other) => one.length - other.length)[0] ?? [];
  const ids = shortest.map(({ id }) => id);
  const allowed = await Promise.all(
    sources.map(async ({ find }, index) => {
      const page = pages[index]!;
      if (page === shortest || isWhole(page) || !find || ids.length === 0) return idsOf(page);
      return idsOf(await find(ids, signal));
    }),
  );
  const offered = shortest.filter(({ id }) => allowed.every((some) => some.has(id)));
  const offeredIds = idsOf(offered);
  const known = isWhole(shortest) ? pages.flat() : shortest;
  const excluded = new Map(
    known.flatMap((choice) => (offeredIds.has(choice.id) ? [] : [[choice.id, choice] as const])),
  );
  return { offered, excluded: [...excluded.values()] };
}

const idsOf = (choices: readonly Choice[]) => new Set(choices.map(({ id }) => id));

/**
 * A source of the choices that all of several sources have.
 *
 * @example <ChoiceInput source={sharedSource(sources)} … />
 */
export function sharedSource(sources: readonly ChoiceSource[]): ChoiceSource {
  const [first] = sources as [ChoiceSource];
  if (sources.length === 1) return first;
  return {
    ...first,
    key: ['shared', ...sources.map(({ key }) => key)],
    load: async (text, signal) => (await loadSharedChoices(sources, text, signal)).offered,
    heading: undefined,
  };
}
