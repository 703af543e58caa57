import Stack from '@mui/material/Stack';
import { useSearchParams } from 'react-router-dom';
import { isGranted } from '../../../engine/access/access-decision';
import { useDefinitions } from '../../data/DefinitionsContext';
import { NoAccess } from '../../states/NoAccess';
import { TabBar, tabPanel } from '../../layout/TabBar';
import { usePage } from '../../layout/page';
import { ImportHistory } from './ImportHistory';
import { ImportPanel } from './ImportPanel';
import { importableDefinitions, importsKey } from '../../data/importAccess';
import * as styles from './imports.module.css';

/** Imports from spreadsheets: a tab for each resource, with the form and the history of imports. */
export default function Imports() {
  const { registry, actor } = useDefinitions();
  const [query, setQuery] = useSearchParams();
  const types = importableDefinitions({ registry, actor });
  const currentType = types.find(({ name }) => name === query.get('type')) ?? types[0];
  usePage({ title: 'Imports', flat: true });
  if (!currentType) return <NoAccess />;
  const isPermitted = (action: 'list' | 'create') =>
    isGranted(actor, currentType.name, action) && isGranted(actor, importsKey, action);
  return (
    <Stack sx={{ flex: 1, minHeight: 0 }}>
      <TabBar
        id="imports"
        label="Imports"
        tabs={types.map(({ name, labels }) => ({ name, label: `Import ${labels.many}` }))}
        chosenTab={currentType.name}
        onChoose={(name) => setQuery({ type: name })}
      />
      <div className={styles.importsPage} key={currentType.name} {...tabPanel('imports', currentType.name)}>
        {isPermitted('create') && <ImportPanel definition={currentType} />}
        {isPermitted('list') && <ImportHistory definition={currentType} />}
      </div>
    </Stack>
  );
}
