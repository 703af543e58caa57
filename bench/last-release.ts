import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchmarkResult } from './case';

/** The ratios that a release reached, by measurement. */
export interface ReleaseRatios {
  readonly version: string;
  readonly ratios: Readonly<Record<string, number>>;
}

type Measured = Pick<BenchmarkResult, 'title' | 'ratio'>;

/** Ratios of two runs differ by less, also on a busy machine. */
const tolerance = 0.15;
const file = join(import.meta.dirname, 'last-release.json');

/** The ratios of the last release; none if none were stored. */
export function readLastRelease(): ReleaseRatios {
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as ReleaseRatios)
    : { version: 'nothing', ratios: {} };
}

/** Stores the ratios of a version. A scenario that was not measured keeps the ratio that it had. */
export function storeLastRelease(version: string, measured: readonly Measured[]): void {
  const { ratios } = readLastRelease();
  const roundedRatios = measured.map(({ title, ratio }) => [title, Number(ratio.toFixed(2))] as const);
  const allRatios = { ...ratios, ...Object.fromEntries(roundedRatios) };
  const sortedRatios = Object.fromEntries(
    Object.keys(allRatios)
      .sort()
      .map((title) => [title, allRatios[title]]),
  );
  writeFileSync(file, `${JSON.stringify({ version, ratios: sortedRatios }, null, 2)}\n`);
}

/**
 * Describes the ratios that fell by more than 15 % since a release, one line each.
 *
 * @example describeFalls({ version: '1.0.0', ratios: { record: 0.5 } }, [{ title: 'record', ratio: 0.4 }]);
 */
export function describeFalls({ version, ratios }: ReleaseRatios, measured: readonly Measured[]): string[] {
  return measured.flatMap(({ title, ratio }) => {
    const previousRatio = ratios[title];
    if (previousRatio === undefined || ratio >= previousRatio * (1 - tolerance)) return [];
    const percent = Math.round((1 - ratio / previousRatio) * 100);
    return [
      `${title}: ${ratio.toFixed(2)} of the floor, ${percent} % less than ${previousRatio.toFixed(2)} of ${version}`,
    ];
  });
}
