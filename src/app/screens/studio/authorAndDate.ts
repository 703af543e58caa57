import type { ModuleVersion } from '../../../engine/studio/module';
import { formatInstant } from '../../../engine/formats/dates';
import { productTitle } from '../../brand/productTitle';

/** Who published a version (the product's name if it was shipped) and when, in words. */
export function authorAndDate({ user, created_at: at }: Pick<ModuleVersion, 'user' | 'created_at'>): string {
  return `${user?.name ?? productTitle()}, ${formatInstant(at)}`;
}
