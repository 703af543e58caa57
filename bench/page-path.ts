import type { TestRows } from './rows';

/** The filtered first page: client, status, type and creator are embedded; one status in all, sorted by name. */
export function pagePath({ statusId }: TestRows): string {
  const query = new URLSearchParams({
    filter: JSON.stringify({ project_status_id: statusId }),
    sort: JSON.stringify(['name', 'ASC']),
    range: JSON.stringify([0, 14]),
  });
  return `/api/projects?${query}`;
}
