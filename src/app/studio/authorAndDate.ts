import type { ModuleVersion } from '../../engine/studio/module';
import { formatInstant } from '../../engine/formats/dates';
import { productTitle } from '../brand/productTitle';

/** The author of a version (the product's name if it was shipped) and its date, in words. */
export function authorAndDate({ user, created_at: createdAt }: Pick<ModuleVersion, 'user' | 'created_at'>): string {
  return `${user?.name ?? productTitle()}, ${formatInstant(createdAt)}`;
}
