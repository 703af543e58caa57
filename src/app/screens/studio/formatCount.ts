import { formatNumber } from '../../../engine/formats/numbers';

/** `1 line`, `3 lines`, `1,065 records`. */
export function formatCount(count: number, what: string): string {
  return `${formatNumber(count)} ${what}${count === 1 ? '' : 's'}`;
}
