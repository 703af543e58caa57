import { ApiError } from '../../session/apiError';

/** An error of a change of a view, which says so where there is no such view any more. */
export function viewError(error: Error): Error {
  if (!(error instanceof ApiError) || error.status !== 404) return error;
  return new ApiError(404, 'This view was deleted, or is no longer shared with you.');
}
