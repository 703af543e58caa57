import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { reportError } from '../data/ErrorToasts';
import type { MenuAction } from '../list/ActionMenu';
import { useApi } from '../session/apiClient';

/** The action that opens the printed page of a record in a new tab; none for a definition without one. */
export function usePrint({ name, print }: Definition, record: ResourceRecord): MenuAction[] {
  const ask = useApi();
  if (!print) return [];
  const run = () => {
    // The browser opens a tab only during the click itself.
    const tab = window.open('', '_blank');
    import('./showPrint')
      .then(({ showPrint }) => showPrint(`/${name}/${String(record.id)}/print`, tab, ask))
      .catch((error: Error) => {
        tab?.close();
        reportError(error);
      });
  };
  return [{ name: 'print', label: 'Print', icon: 'print', run }];
}
