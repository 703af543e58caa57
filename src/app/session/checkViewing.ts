import { productTitle } from '../brand/productTitle';
import { ApiError } from './apiError';
import { queueToast } from './toastQueue';
import { readViewing, clearViewing, type Viewing } from './viewedUser';

const refusalStatuses = new Set([400, 403, 404]);
let pendingCheck: Promise<unknown> | null = null;

/**
 * After a rejected request: checks whether the user may still view as this person; if not, says so and stops viewing.
 * Checks once, however many requests were rejected at the same time.
 */
export function checkViewing(viewState: Viewing, refusal: ApiError, ask: () => Promise<unknown>): void {
  if (!refusalStatuses.has(refusal.status) || pendingCheck) return;
  pendingCheck = ask()
    .catch((error: unknown) => {
      if (!(error instanceof ApiError) || !refusalStatuses.has(error.status) || readViewing() !== viewState) return;
      const reason = error.status === 403 ? ` ${error.message}` : '';
      queueToast({
        message: `You are no longer viewing ${productTitle()} as ${viewState.name}.${reason}`,
        kind: 'warning',
      });
      clearViewing();
    })
    .finally(() => {
      pendingCheck = null;
    });
}
