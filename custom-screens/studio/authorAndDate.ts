import type { ModuleVersion } from '../../src/engine/studio/module';
import { formatInstant } from '../../src/engine/formats/dates';
import { productName } from '../../src/app/brand/productName';

/** Who published a version (the product's name if it was shipped) and when, in words. */
export function authorAndDate({ user, created_at: at }: Pick<ModuleVersion, 'user' | 'created_at'>): string {
  return `${user?.name ?? productName}, ${formatInstant(at)}`;
}
