import { itemAt } from '../../engine/values/lookups';
/** A configuration and what it consists of. */
export interface Configuration {
  readonly id: number;
  readonly browser: string | null;
  readonly system: string | null;
  readonly device: string | null;
}

const parts = ['browser', 'system', 'device'] as const;

/**
 * As few of the configurations as cover each pair of browser, system and device that occurs in them: always the one that
 * covers most of what is left, in the order given.
 *
 * @example pairwise(allCombinationsOfThreeBrowsersThreeSystemsAndThreeDevices).length; // 9 or a few more, of 27
 */
export function pairwise(configurations: readonly Configuration[]): Configuration[] {
  const open = new Set(configurations.flatMap(pairsOf));
  const chosenConfigurations: Configuration[] = [];
  while (open.size > 0) {
    const left = configurations.map((configuration) => pairsOf(configuration).filter((pair) => open.has(pair)));
    const bestIndex = left.reduce(
      (bestSoFar, pairs, index) => (pairs.length > itemAt(left, bestSoFar).length ? index : bestSoFar),
      0,
    );
    itemAt(left, bestIndex).forEach((pair) => open.delete(pair));
    chosenConfigurations.push(itemAt(configurations, bestIndex));
  }
  return chosenConfigurations;
}

/** The pairs that a configuration covers; what it does not say counts as a value of its own. */
function pairsOf(configuration: Configuration): string[] {
  return parts.flatMap((part, index) =>
    parts
      .slice(index + 1)
      .map((otherPart) => JSON.stringify([part, configuration[part], otherPart, configuration[otherPart]])),
  );
}
