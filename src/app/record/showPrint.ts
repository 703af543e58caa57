import type { ApiClient } from '../session/apiClient';

/** Shows a printed page in a tab, and the browser's dialog to print it. Throws ApiError, and an Error without a tab. */
export async function showPrint(path: string, tab: Window | null, ask: ApiClient): Promise<void> {
  if (!tab)
    throw new Error('The browser did not open a tab for the page. Allow pop-ups for this address and try again.');
  const answer = await ask(path, { headers: { Accept: 'text/html' } });
  const page = new Blob([await answer.text()], { type: 'text/html;charset=utf-8' });
  const address = URL.createObjectURL(page);
  tab.addEventListener('load', () => {
    URL.revokeObjectURL(address);
    tab.print();
  });
  tab.location.replace(address);
}
