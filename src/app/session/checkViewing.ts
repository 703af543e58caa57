import { ApiError } from './apiError';
import { leaveToast } from './toastHandover';
import { readViewing, stopViewing, type Viewing } from './viewing';

const doubtful = new Set([400, 403, 404]);
let asking: Promise<unknown> | null = null;

/**
 * After a rejected request: checks whether the user may still view as this person; if not, says so and stops viewing.
 * Checks once, however many requests were rejected at the same time.
 */
export function checkViewing(viewing: Viewing, refused: ApiError, ask: () => Promise<unknown>): void {
  if (!doubtful.has(refused.status) || asking) return;
  asking = ask()
    .catch((error: unknown) => {
      if (!(error instanceof ApiError) || !doubtful.has(error.status) || readViewing() !== viewing) return;
      const why = error.status === 403 ? ` ${error.message}` : '';
      leaveToast({ message: `You are no longer viewing Assay as ${viewing.name}.${why}`, kind: 'warning' });
      stopViewing();
    })
    .finally(() => {
      asking = null;
    });
}
