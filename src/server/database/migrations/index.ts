import { baseline } from './0001-baseline';
import { dueTimes } from './0115-due-times';
import { workingTimes } from './0116-working-times';
import { publicForms } from './0120-public-forms';
import { internalComments } from './0125-internal-comments';
import { keyNames } from './0135-key-names';
import { wideIds } from './0140-wide-ids';
import { companyKeys } from './0160-company-keys';
import type { Migration } from './migration';

/** All migrations, oldest first. */
export const migrations: readonly Migration[] = [
  baseline,
  dueTimes,
  workingTimes,
  publicForms,
  internalComments,
  keyNames,
  wideIds,
  companyKeys,
];

/** The first and the last of the steps that the baseline replaced. */
const [firstFormerStep, lastFormerStep] = ['0001-engine-tables', '0107-linked-notices'];

/**
 * Which of these migrations the baseline replaced. Throws if the last of them was not applied: the tables are then older
 * than those of the baseline.
 *
 * @example formerSteps(new Set(['0001-baseline'])); // []
 */
export function formerSteps(appliedNames: ReadonlySet<string>): string[] {
  if (!appliedNames.has(firstFormerStep)) return [];
  if (!appliedNames.has(lastFormerStep))
    throw new Error(
      'The tables are older than those that this version knows how to change. Start the program once at commit 481e11b3 on this database (or restore the backup there), then this version.',
    );
  return [...appliedNames].filter((name) => name >= firstFormerStep && name <= lastFormerStep);
}
