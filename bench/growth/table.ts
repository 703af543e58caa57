import type { OperationTiming } from './measure';
import { operations } from './operations';

/** All that was measured at one number of test cases. */
export interface Size {
  readonly size: number;
  /** Seconds that filling took. */
  readonly fillSeconds: number;
  /** By the name of the operation; a text explains a missing figure. */
  readonly measured: ReadonlyMap<string, OperationTiming | string>;
  /** Bytes. */
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly indexes: number }[];
  /** Bytes of the program's memory: after its start, and after all operations. */
  readonly idleMemory: number;
  readonly busyMemory: number;
}

const short = (size: number) => (size >= 1_000_000 ? `${size / 1_000_000} M` : `${size / 1_000}k`);
const ms = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0));

/** The operations by size, as a Markdown table, with the ratio of the largest to the smallest. */
export function printGrowth(sizes: readonly Size[]): void {
  const rows = operations.map(({ title }) => {
    const cells = sizes.map(({ measured }) => {
      const timing = measured.get(title);
      if (timing === undefined || typeof timing === 'string')
        return timing === undefined ? '' : `fails: ${timing.slice(0, 60)}`;
      return `${ms(timing.median)} / ${ms(timing.p95)} (${ms(timing.floor)})`;
    });
    const figures = sizes
      .map(({ measured }) => measured.get(title))
      .filter((timing): timing is OperationTiming => typeof timing === 'object');
    const [first, last] = [figures[0], figures.at(-1)];
    const growth =
      first && last && figures.length === sizes.length ? `× ${(last.median / first.median).toFixed(1)}` : '';
    return [title, String(last?.statements ?? ''), ...cells, growth];
  });
  print(['operation', 'statements', ...sizes.map(({ size }) => short(size)), 'growth'], rows);
}

/** The disk usage of the tables and the memory of the program. */
export function printSizes(sizes: readonly Size[]): void {
  const MB = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  const names = sizes[0]!.tables.map(({ name }) => name);
  const rows = [
    ...names.map((name, index) => [
      `${name}: rows + indexes`,
      ...sizes.map(({ tables }) => `${MB(tables[index]!.rows)} + ${MB(tables[index]!.indexes)}`),
    ]),
    ['memory of the program, idle', ...sizes.map(({ idleMemory }) => MB(idleMemory))],
    ['memory of the program, after all operations', ...sizes.map(({ busyMemory }) => MB(busyMemory))],
    ['seconds to fill', ...sizes.map(({ fillSeconds }) => fillSeconds.toFixed(0))],
  ];
  print(['', ...sizes.map(({ size }) => short(size))], rows);
}

function print(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  console.log(['', line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n'));
}
