import type { Finding, BenchmarkResult } from './case';
import { connections } from './load';

/** Prints the measurements, one per line. */
export function printTable(outcomes: readonly BenchmarkResult[]): void {
  if (outcomes.length === 0) return;
  const head = ['', 'req/s', 'p50 ms', 'p99 ms', 'beside', 'req/s', 'p50 ms', 'p99 ms', 'ratio', 'target', ''];
  const lines = outcomes.map(({ title, ours, comparison, baseline, ratio, target }) => [
    title,
    ...[ours, comparison, baseline].flatMap((cell) =>
      typeof cell === 'string' ? cell : [cell.perSecond.toFixed(0), cell.p50.toFixed(0), cell.p99.toFixed(0)],
    ),
    ratio.toFixed(2),
    `≥ ${target.toFixed(2)}`,
    ratio >= target ? 'reached' : 'MISSED',
  ]);
  const widths = head.map((title, column) =>
    Math.max(...[head, ...lines].map((line) => line[column]!.length), title.length),
  );
  console.log(`\nAt ${connections} connections, in turns; medians of the rounds\n`);
  for (const line of [head, ...lines]) {
    console.log(
      line
        .map((cell, column) => pad(cell, widths[column]!, column))
        .join('  ')
        .trimEnd(),
    );
  }
  for (const { title, notes } of outcomes) for (const note of notes) console.log(`\n${title}: ${note}`);
}

/** Prints the figures without a floor, one per line. */
export function printFindings(findings: readonly Finding[]): void {
  if (findings.length > 0) console.log();
  for (const line of describeResults(findings)) console.log(line);
}

/** Ratios, and figures without a floor, in a line each. */
export function describeResults(results: readonly (BenchmarkResult | Finding)[]): string[] {
  return results.map((result) => {
    if ('ratio' in result) return `${result.title}: ${result.ratio.toFixed(2)} (≥ ${result.target.toFixed(2)})`;
    const { title, figures, isReached } = result;
    return `${title}: ${figures}${isReached === undefined ? '' : isReached ? ' (reached)' : ' (MISSED)'}`;
  });
}

/** Prints what fell since the last release, if anything did. */
export function printFalls(falls: readonly string[]): void {
  for (const fall of falls) console.log(`\nFELL: ${fall}`);
}

/** Text left-aligned, numbers right-aligned. */
function pad(cell: string, width: number, column: number): string {
  return column === 0 || column === 4 || column === 10 ? cell.padEnd(width) : cell.padStart(width);
}
