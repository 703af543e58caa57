import { formatNumber } from '../../engine/formats/numbers';

/** `1 line`, `3 lines`, `1,065 records`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}
