import type { Choice, ChoiceSource } from './choice';
import { choicesPageSize } from './loadChoices';
import { itemAt } from '../../../engine/values/lookups';

/** Choices of several sources. */
export interface SharedChoices {
  /** Those that all sources have. */
  readonly offeredChoices: readonly Choice[];
  /** Those that some of them have, as far as that is known. */
  readonly excluded: readonly Choice[];
}

/**
 * Loads the choices that all of several sources have for a text. If no source has all of its choices on one page, those
 * of the first page of one of them are compared, and a longer text finds the others.
 *
 * @example const { offeredChoices, excluded } = await loadSharedChoices(sources, 'gra', signal);
 */
export async function loadSharedChoices(
  sources: readonly ChoiceSource[],
  text: string,
  signal?: AbortSignal,
): Promise<SharedChoices> {
  const pages = await Promise.all(sources.map(({ load }) => load(text, signal)));
  const isWhole = (page: readonly Choice[]) => page.length < choicesPageSize;
  const shortest = pages.toSorted((first, second) => first.length - second.length)[0] ?? [];
  const ids = shortest.map(({ id }) => id);
  const allowedIds = await Promise.all(
    sources.map(async ({ find }, index) => {
      const page = itemAt(pages, index);
      if (page === shortest || isWhole(page) || !find || ids.length === 0) return idsOf(page);
      return idsOf(await find(ids, signal));
    }),
  );
  const sharedByAll = shortest.filter(({ id }) => allowedIds.every((idsOfSource) => idsOfSource.has(id)));
  const offeredIds = idsOf(sharedByAll);
  const knownChoices = isWhole(shortest) ? pages.flat() : shortest;
  const excluded = new Map(
    knownChoices.flatMap((choice) => (offeredIds.has(choice.id) ? [] : [[choice.id, choice] as const])),
  );
  return { offeredChoices: sharedByAll, excluded: [...excluded.values()] };
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
    load: async (text, signal) => (await loadSharedChoices(sources, text, signal)).offeredChoices,
    heading: undefined,
  };
}
