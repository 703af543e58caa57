import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StrictMode } from 'react';
import { Root } from '../../../src/app/Root';
import AdminApp from '../../../src/app/shell/AdminApp';
import type { Alias, CustomScreen } from '../../../src/app/product';
// Loads lazy code in advance: the tests are about what the application does with it.
import '../../../src/app/record/ResourceForm';
import '../../../src/app/shell/home/HomeScreen';
import '../../../src/app/list/display/DisplayPanel';
import '../../../src/app/list/ListScreen';
import '../../../src/app/list/bulk/BulkDialog';
import '../../../src/app/list/filters/FiltersDialog';
import '../../../src/app/list/grid/GridView';

/** Opens the whole application at a path, with the fake server behind `fetch`. */
export function renderApp(path: string, screens: readonly CustomScreen[] = [], aliases: readonly Alias[] = []) {
  window.history.replaceState(null, '', path);
  const user = userEvent.setup();
  const loadAdmin = () => Promise.resolve({ default: () => <AdminApp screens={screens} aliases={aliases} /> });
  render(
    <StrictMode>
      <Root loadAdmin={loadAdmin} publicScreens={[]} />
    </StrictMode>,
  );
  return user;
}

export { onPhone } from './screen';
